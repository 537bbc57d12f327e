package dev.trestle.engine.hbase;

import com.google.protobuf.ByteString;
import dev.trestle.benchmarks.load.Entities;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;
import org.awaitility.Awaitility;

/**
 * An application without a front end: the operations of the load driver as plain HBase requests, with the same
 * cells, conditions and durability, in another collection of the same table. Every insert is a request.
 */
final class DirectClient implements AutoCloseable {
    static final int PARTITION_ROWS = 1000;

    private static final byte[] FAMILY = {'e'};
    private static final byte[] VERSION = {0};
    private static final int AGES = 100;
    private static final int PAGE_ROWS = 1000;
    private static final Duration IDLE_TIME = Duration.ofSeconds(2);
    private static final Duration IDLE_INTERVAL = Duration.ofMillis(500);
    private static final Duration SETTLE_TIME_MAX = Duration.ofMinutes(10);

    private final AsyncConnection connection;
    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final long collection;
    private final AtomicLong inserted = new AtomicLong();

    DirectClient(String quorum, TableName name, long collection) throws Exception {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
        configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, quorum.substring(quorum.lastIndexOf(':') + 1));
        this.connection = ConnectionFactory.createAsyncConnection(configuration).get();
        this.table = connection.getTable(name);
        this.collection = collection;
    }

    /** The entity of the load driver. */
    private static Map<String, EdmValue> entity(long row) {
        Map<String, EdmValue> entity = new LinkedHashMap<>();
        entity.put("Name", new EdmValue.Text("Customer " + row));
        entity.put("Email", new EdmValue.Text("customer" + row + "@example.com"));
        entity.put("Age", new EdmValue.Int32((int) (row % AGES)));
        entity.put("Balance", new EdmValue.Real(row + 0.25));
        entity.put("Active", new EdmValue.Bool(row % 2 == 0));
        entity.put("Created", new EdmValue.DateTime(Ticks.of(Instant.parse("2026-01-31T23:59:59.1234567Z"))));
        entity.put("Visits", new EdmValue.Int64(row * 7));
        entity.put("Id", new EdmValue.Guid(0x3f2504e04f8911d3L, 0x9a0c0305e82c3301L));
        entity.put(
                "Address",
                new EdmValue.Text("12 Long Street, Some Town, Some County, Some Country, Postal Code 12345"));
        entity.put(
                "Notes",
                new EdmValue.Text(
                        "The quick brown fox jumps over the lazy dog, and over it again, until it is tired."));
        return entity;
    }

    private Put put(String partition, long row, Durability durability) {
        long version = Ticks.of(Instant.now());
        byte[] head = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(version)
                .putLong(row)
                .array();
        Put put =
                new Put(key(partition, row), version).setDurability(durability).addColumn(FAMILY, VERSION, head);
        entity(row).forEach((name, value) -> put.addColumn(FAMILY, Cesu8.encode(name), CellValues.encode(value)));
        return put;
    }

    private byte[] key(String partition, long row) {
        return Key.of(collection, partition, Entities.rowKey(row)).bytes();
    }

    /** Writes partitions of {@link #PARTITION_ROWS} rows for reads; existing ones are kept. */
    void load(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            String name = Entities.partitionKey(partition);
            if (!table.exists(new Get(key(name, PARTITION_ROWS - 1))).join()) {
                List<Put> puts = new ArrayList<>();
                for (int row = 0; row < PARTITION_ROWS; row++) {
                    puts.add(put(name, row, Durability.SYNC_WAL));
                }
                table.putAll(puts).join();
            }
        }
    }

    /** Flushes the table, so that reads come from files and the block cache. */
    void flush() {
        connection.getAdmin().flush(table.getName()).join();
    }

    /** Flushes, then waits for compactions to end, so that no measurement includes work of the one before it. */
    void settle() {
        flush();
        // One compaction may start shortly after another, or after a flush.
        Awaitility.await()
                .pollInterval(IDLE_INTERVAL)
                .during(IDLE_TIME)
                .atMost(SETTLE_TIME_MAX)
                .until(() -> connection
                                .getAdmin()
                                .getCompactionState(table.getName())
                                .join()
                        == CompactionState.NONE);
    }

    CompletionStage<?> read(int partition, int row) {
        return table.get(new Get(key(Entities.partitionKey(partition), row)).addFamily(FAMILY))
                .thenAccept(result -> require(result.size() == entity(row).size() + 1));
    }

    /** Reads so many rows of a partition. */
    CompletionStage<?> range(int partition, int firstRow, int rows) {
        String name = Entities.partitionKey(partition);
        return scan(new Scan().withStartRow(key(name, firstRow)).withStopRow(key(name, firstRow + rows)), rows);
    }

    /** Reads a page from the start of a partition. */
    CompletionStage<?> page(int partition) {
        byte[] from = Key.beforePartition(collection, Entities.partitionKey(partition));
        return scan(new Scan().withStartRow(from).setLimit(PAGE_ROWS), PAGE_ROWS);
    }

    private CompletionStage<?> scan(Scan scan, int rows) {
        return table.scanAll(scan.addFamily(FAMILY).setCaching(rows + 1))
                .thenAccept(found -> require(found.size() == rows));
    }

    /** Inserts so many rows of one partition atomically, if none of them exists. */
    CompletionStage<?> insert(String run, int rows) {
        long first = inserted.getAndAdd(rows);
        String partition = "insert-" + run + "-" + first / rows % 100;
        MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
        for (long row = first; row < first + rows; row++) {
            Put put = put(partition, row, Durability.FSYNC_WAL);
            try {
                request.addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, put));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            request.addCondition(absent(put.getRow()));
        }
        MutateRowsRequest whole = request.build();
        return table.<MultiRowMutationService.Stub, MutateRowsResponse>coprocessorService(
                        MultiRowMutationService::newStub,
                        (stub, controller, done) -> stub.mutateRows(controller, whole, done),
                        key(partition, first))
                .thenAccept(response -> require(response.getProcessed()));
    }

    private static Condition absent(byte[] row) {
        return Condition.newBuilder()
                .setRow(ByteString.copyFrom(row))
                .setFamily(ByteString.copyFrom(FAMILY))
                .setQualifier(ByteString.copyFrom(VERSION))
                .setCompareType(CompareType.EQUAL)
                .setComparator(ProtobufUtil.toComparator(new NullComparator()))
                .build();
    }

    private static void require(boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("the cluster gave another answer than expected");
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
