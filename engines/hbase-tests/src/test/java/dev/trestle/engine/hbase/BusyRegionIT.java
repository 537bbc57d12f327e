package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** A region that rejects writes because its memstore is full and cannot be flushed for a while. */
class BusyRegionIT {
    private static final String NAMESPACE = "busy";
    private static final TableName TABLE = Schema.table(NAMESPACE);
    private static final long COLLECTION = 0x0101_0101_0101_0106L;
    private static final int FLUSH_BYTES = 1 << 20;
    private static final int WAITING = 10;

    private static CompletableFuture<CommitResult> insert(HBaseEngine engine, String name, int rows, int rowBytes) {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            byte[] row = new RowBuilder()
                    .put("A", new EdmValue.Binary(new byte[rowBytes]))
                    .build();
            writes.add(new Write.Put(Key.of(COLLECTION, "p", name + i), row, Precondition.ABSENT));
        }
        return engine.commit(new Commit(COLLECTION, "p", writes)).toCompletableFuture();
    }

    /** With a limit of one file, so that a second flush has to wait, and without compactions. */
    private static void keepFromFlushing(Admin admin, HBaseEngine engine) throws Exception {
        TableDescriptor table = admin.getDescriptor(TABLE);
        admin.modifyTable(TableDescriptorBuilder.newBuilder(table)
                .setMemStoreFlushSize(FLUSH_BYTES)
                .modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(RowCells.FAMILY))
                        .setConfiguration("hbase.hstore.blockingStoreFiles", "1")
                        .setConfiguration("hbase.hstore.compaction.min", "1000")
                        .build())
                .build());
        for (String name : List.of("first", "second")) {
            insert(engine, name, 1, 1).get(30, TimeUnit.SECONDS);
            admin.flush(TABLE);
        }
    }

    @Test
    void commits_that_a_full_region_turns_away_stay_together_and_go_when_there_is_room() throws Exception {
        BlockingQueue<Integer> groups = new LinkedBlockingQueue<>();
        try (Connection connection = TestCluster.connect();
                Admin admin = connection.getAdmin();
                HBaseEngine engine =
                        HBaseEngine.open(TestCluster.config().withNamespace(NAMESPACE), InstantSource.system())) {
            keepFromFlushing(admin, engine);
            engine.telemetry().observe((commits, rows, bytes, nanos) -> groups.add(commits));
            // More than the memstore may hold; commits that arrive during the flush are coalesced and rejected.
            CompletableFuture<CommitResult> filling = insert(engine, "large", 100, 3 * FLUSH_BYTES / 100);
            List<CompletableFuture<CommitResult>> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                waiting.add(insert(engine, "small" + i + "-", 1, 1));
            }
            assertThat(filling.get(30, TimeUnit.SECONDS)).isInstanceOf(CommitResult.Committed.class);
            assertThatThrownBy(() -> CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                            .get(2, TimeUnit.SECONDS))
                    .isInstanceOf(TimeoutException.class);
            admin.flush(TABLE);
            for (CompletableFuture<CommitResult> one : waiting) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isInstanceOf(CommitResult.Committed.class);
            }
            assertThat(groups.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(groups.poll(30, TimeUnit.SECONDS)).isEqualTo(WAITING);
        }
    }
}
