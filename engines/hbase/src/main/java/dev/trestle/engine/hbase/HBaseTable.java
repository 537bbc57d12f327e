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

/** What the engine asks of HBase, in the few calls it needs. */
final class HBaseTable {
    /** What the rows begin with where front ends keep the marks of their {@link Versions}. */
    private static final byte[] MARKS = {0, 'v'};

    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final AsyncTable<AdvancedScanResultConsumer> onceOnly;
    private final AsyncTableRegionLocator locator;
    private final byte[] markRow;
    private final AtomicLong markTime = new AtomicLong();
    private final ReadCoalescer<ServerName, Get, Result> reads;

    /** @param once a connection whose client repeats nothing by itself */
    HBaseTable(AsyncConnection connection, AsyncConnection once, TableName name, Duration requestTimeout) {
        long millis = requestTimeout.toMillis();
        // A server that does not answer leaves time to ask the one that takes its place.
        this.table = connection
                .getTableBuilder(name)
                .setOperationTimeout(millis, TimeUnit.MILLISECONDS)
                .setReadRpcTimeout(millis / 2, TimeUnit.MILLISECONDS)
                .setWriteRpcTimeout(millis / 2, TimeUnit.MILLISECONDS)
                .build();
        // Repeated by those who know what it means.
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

    /** The first key of the region that holds the row now. */
    CompletionStage<Key> regionOf(Key key) {
        return locator.getRegionLocation(key.bytes())
                .thenApply(location -> Key.ofBytes(location.getRegion().getStartKey()));
    }

    CompletionStage<Optional<byte[]>> read(Key key) {
        Get get = get(key);
        // While a range is split it may be nowhere for a moment. The client waits for that, its locator does not.
        return locator.getRegionLocation(key.bytes())
                .handle((location, failure) ->
                        failure == null ? reads.read(location.getServerName(), get) : table.get(get))
                .thenCompose(Function.identity())
                .thenApply(result -> Optional.ofNullable(RowCells.row(result)));
    }

    /** The rows of these keys that are there. */
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

    /** Changes rows of one region together if all conditions hold; whether they did. */
    CompletionStage<Boolean> mutate(Key anyRow, MutateRowsRequest request) {
        return onceOnly.<MultiRowMutationService.Stub, MutateRowsResponse>coprocessorService(
                        MultiRowMutationService::newStub,
                        (stub, controller, done) -> stub.mutateRows(controller, request, done),
                        anyRow.bytes())
                .thenApply(MutateRowsResponse::getProcessed);
    }

    /** Writes each by itself. */
    CompletionStage<Void> writeAll(List<Mutation> mutations) {
        return table.batchAll(mutations).thenApply(done -> null);
    }

    /** The greatest mark that any front end has kept. Those below it, most often of processes long gone, are removed. */
    CompletionStage<Long> greatestMark() {
        return table.scanAll(new Scan().setStartStopRowForPrefixScan(MARKS)).thenCompose(results -> {
            long greatest = results.stream().mapToLong(HBaseTable::markOf).max().orElse(0);
            List<Delete> outdone = results.stream()
                    .filter(result -> markOf(result) < greatest)
                    .map(result -> RowCells.delete(result.getRow(), result.rawCells()[0].getTimestamp()))
                    .toList();
            return table.batchAll(outdone).thenApply(done -> greatest);
        });
    }

    private static long markOf(Result result) {
        return ByteBuffer.wrap(result.value()).getLong();
    }

    /** Keeps the mark in place of the last that was kept here. */
    CompletionStage<Void> keepMark(long mark) {
        byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(mark).array();
        return table.put(
                new Put(markRow, markTime.incrementAndGet()).addColumn(RowCells.FAMILY, RowCells.VERSION, value));
    }

    /** Removes some rows of the range; whether there may be more. */
    CompletionStage<Boolean> removeSome(KeyRange range, int rows) {
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
                // The first cell is the version's, whose time stamp is that of the last commit.
                Cell newest = result.rawCells()[0];
                deletes.add(RowCells.delete(result.getRow(), newest.getTimestamp()));
            }
            return table.batchAll(deletes).thenApply(done -> results.size() == rows);
        });
    }
}
