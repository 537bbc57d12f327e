package dev.trestle.engine.hbase;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;

/** The requests of the engine to HBase. */
final class HBaseTable {
    /** Prefix of the rows in which front ends store the marks of their {@link Versions}. */
    private static final byte[] MARKS = {0, 'v'};

    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final AsyncTable<AdvancedScanResultConsumer> onceOnly;
    private final AsyncTableRegionLocator locator;
    private final byte[] markRow;
    private final AtomicLong markTime = new AtomicLong();
    private final ReadCoalescer<ServerName, Get, Result> reads;

    /** @param once a connection whose client does not retry */
    HBaseTable(AsyncConnection connection, AsyncConnection once, TableName name, Duration requestTimeout) {
        long millis = requestTimeout.toMillis();
        // Half of the timeout, so that there is time for a retry at the server that replaces an unresponsive one.
        this.table = connection
                .getTableBuilder(name)
                .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
                .setReadRpcTimeout(millis / 2, TimeUnit.MILLISECONDS)
                .setWriteRpcTimeout(millis / 2, TimeUnit.MILLISECONDS)
                .build();
        // Retried by the committer, which checks whether the first attempt took effect.
        this.onceOnly = once.getTableBuilder(name)
                .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
                .setRpcTimeout(millis / 2, TimeUnit.MILLISECONDS)
                .build();
        this.locator = connection.getRegionLocator(name);
        this.reads = new ReadCoalescer<>(table::get);
        UUID self = UUID.randomUUID();
        this.markRow = ByteBuffer.allocate(MARKS.length + 2 * Long.BYTES)
                .put(MARKS)
                .putLong(self.getMostSignificantBits())
                .putLong(self.getLeastSignificantBits())
                .array();
    }

    /** Returns the start key of the region of a row. */
    CompletionStage<Key> regionOf(Key key) {
        return locator.getRegionLocation(key.bytes())
                .thenApply(location -> Key.ofBytes(location.getRegion().getStartKey()));
    }

    CompletionStage<Optional<byte[]>> read(Key key) {
        Get get = get(key);
        // During a split a range may have no region for a moment. The client retries then, its locator does not.
        return locator.getRegionLocation(key.bytes())
                .handle((location, failure) ->
                        failure == null ? reads.read(location.getServerName(), get) : table.get(get))
                .thenCompose(Function.identity())
                .thenApply(result -> Optional.ofNullable(RowCells.row(result)));
    }

    /** Reads rows; those that do not exist are missing in the result. */
    CompletionStage<Map<Key, RowCells.Read>> readAll(Collection<Key> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        List<Key> ordered = List.copyOf(keys);
        return table.getAll(ordered.stream().map(HBaseTable::get).toList()).thenApply(results -> {
            Map<Key, RowCells.Read> reads = new HashMap<>();
            for (int i = 0; i < ordered.size(); i++) {
                RowCells.Read read = RowCells.read(results.get(i));
                if (read != null) {
                    reads.put(ordered.get(i), read);
                }
            }
            return reads;
        });
    }

    private static Get get(Key key) {
        return new Get(key.bytes()).addFamily(RowCells.FAMILY);
    }

    /** Mutates rows of one region atomically if all conditions hold; returns whether they did. */
    CompletionStage<Boolean> mutate(Key anyRow, MutateRowsRequest request) {
        return onceOnly.<MultiRowMutationService.Stub, MutateRowsResponse>coprocessorService(
                        MultiRowMutationService::newStub,
                        (stub, controller, done) -> stub.mutateRows(controller, request, done),
                        anyRow.bytes())
                .thenApply(MutateRowsResponse::getProcessed);
    }

    /** Writes mutations, not atomically. */
    CompletionStage<Void> writeAll(List<Mutation> mutations) {
        return table.batchAll(mutations).thenApply(done -> null);
    }

    /**
     * Returns the greatest mark of any front end, and deletes the others, which are mostly of terminated
     * processes.
     */
    CompletionStage<Long> greatestMark() {
        return table.scanAll(new Scan().setStartStopRowForPrefixScan(MARKS)).thenCompose(results -> {
            long greatest = results.stream().mapToLong(HBaseTable::markOf).max().orElse(0);
            List<Delete> smaller = results.stream()
                    .filter(result -> markOf(result) < greatest)
                    .map(result -> RowCells.delete(result.getRow(), result.rawCells()[0].getTimestamp()))
                    .toList();
            return table.batchAll(smaller).thenApply(done -> greatest);
        });
    }

    private static long markOf(Result result) {
        return ByteBuffer.wrap(result.value()).getLong();
    }

    /** Stores the mark of this front end, replacing its previous one. */
    CompletionStage<Void> keepMark(long mark) {
        byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(mark).array();
        return table.put(
                new Put(markRow, markTime.incrementAndGet()).addColumn(RowCells.FAMILY, RowCells.VERSION, value));
    }

    /** Deletes up to so many rows of a range; returns whether there may be more. */
    CompletionStage<Boolean> deleteSome(KeyRange range, int rows) {
        Scan scan = new Scan()
                .withStartRow(range.from())
                .withStopRow(range.to())
                .setLimit(rows)
                .setCaching(rows)
                .addFamily(RowCells.FAMILY)
                .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
        return table.scanAll(scan).thenCompose(results -> {
            List<Delete> deletes = new ArrayList<>(results.size());
            for (Result result : results) {
                // The first cell is the head, whose time stamp is the version of the row.
                Cell newest = result.rawCells()[0];
                deletes.add(RowCells.delete(result.getRow(), newest.getTimestamp()));
            }
            return table.batchAll(deletes).thenApply(done -> results.size() == rows);
        });
    }
}
