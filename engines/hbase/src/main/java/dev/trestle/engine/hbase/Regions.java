package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import dev.trestle.keyspace.Key;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Lists, splits, merges and moves the regions of the table. */
final class Regions implements PartitionRanges {
    private static final int COMPACTION_ATTEMPTS_MAX = 60;
    private static final Duration COMPACTION_DELAY = Duration.ofSeconds(4);

    private final AsyncConnection connection;
    private final AsyncAdmin admin;
    private final TableName table;

    Regions(AsyncConnection connection, TableName table) {
        this.connection = connection;
        this.admin = connection.getAdmin();
        this.table = table;
    }

    @Override
    public CompletionStage<List<Range>> list() {
        return HBaseErrors.translate(locations()
                .thenCompose(found -> metrics(found).thenApply(metrics -> ranges(found, metrics))));
    }

    @Override
    public CompletionStage<List<String>> servers() {
        return HBaseErrors.translate(admin.getRegionServers()
                .thenApply(servers ->
                        servers.stream().map(ServerName::getServerName).sorted().toList()));
    }

    private CompletableFuture<List<HRegionLocation>> locations() {
        return connection.getRegionLocator(table).getAllRegionLocations();
    }

    private CompletionStage<Map<String, RegionMetrics>> metrics(List<HRegionLocation> locations) {
        Map<String, RegionMetrics> byName = new HashMap<>();
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (ServerName server : servers(locations).toList()) {
            all = all.thenCombine(
                    // A server may have terminated.
                    admin.getRegionMetrics(server, table).exceptionally(failure -> List.of()), (done, regions) -> {
                        regions.forEach(region -> byName.put(region.getNameAsString(), region));
                        return null;
                    });
        }
        return all.thenApply(done -> byName);
    }

    private static Stream<ServerName> servers(List<HRegionLocation> locations) {
        return locations.stream()
                .flatMap(location -> Stream.ofNullable(location.getServerName()))
                .distinct();
    }

    private static List<Range> ranges(List<HRegionLocation> locations, Map<String, RegionMetrics> metrics) {
        List<Range> ranges = new ArrayList<>();
        for (HRegionLocation location : locations) {
            Optional<RegionMetrics> current =
                    Optional.ofNullable(metrics.get(location.getRegion().getRegionNameAsString()));
            ranges.add(new Range(
                    location.getRegion().getEncodedName(),
                    location.getRegion().getStartKey(),
                    location.getRegion().getEndKey(),
                    Optional.ofNullable(location.getServerName()).map(ServerName::getServerName),
                    current.map(Regions::bytes).orElse(0L),
                    current.map(RegionMetrics::getReadRequestCount).orElse(0L),
                    current.map(RegionMetrics::getWriteRequestCount).orElse(0L)));
        }
        ranges.sort((one, other) -> Bytes.compareTo(one.from(), other.from()));
        return ranges;
    }

    private static long bytes(RegionMetrics region) {
        return (long) (region.getStoreFileSize().get(Size.Unit.BYTE)
                + region.getMemStoreSize().get(Size.Unit.BYTE));
    }

    @Override
    public CompletionStage<Void> split(String id, Optional<byte[]> at) {
        return HBaseErrors.translate(range(id)
                .thenCompose(range -> whenCompacted(
                        List.of(id),
                        () -> at.isPresent() ? admin.splitRegion(name(id), at.get()) : splitAnywhere(range),
                        COMPACTION_ATTEMPTS_MAX)));
    }

    private CompletableFuture<Void> splitAnywhere(Range range) {
        return admin.splitRegion(name(range.id()))
                .exceptionallyCompose(failure ->
                        needsCompaction(failure) ? CompletableFuture.failedFuture(failure) : splitAfterFirst(range));
    }

    /**
     * Retries an action after compactions. After a split or merge, a region refers to files of its predecessors,
     * and cannot be split or merged again until it is compacted.
     */
    private CompletableFuture<Void> whenCompacted(
            List<String> ids, Supplier<CompletableFuture<Void>> action, int attemptsLeft) {
        return action.get().exceptionallyCompose(failure -> {
            if (!needsCompaction(failure) || attemptsLeft == 0) {
                return CompletableFuture.failedFuture(failure);
            }
            CompletableFuture<Void> compacting = CompletableFuture.completedFuture(null);
            for (String id : ids) {
                compacting = compacting.thenCompose(done -> admin.majorCompactRegion(name(id)));
            }
            return compacting
                    .thenCompose(done -> Timer.after(COMPACTION_DELAY))
                    .thenCompose(later -> whenCompacted(ids, action, attemptsLeft - 1));
        });
    }

    private static boolean needsCompaction(Throwable failure) {
        String message = String.valueOf(StageFailures.cause(failure).getMessage());
        return message.contains("NOT splittable") || message.contains("not mergeable");
    }

    /**
     * Splits after the first partition. If the middle of a region is in a long partition, the only split point
     * that HBase sees is the start of that partition, which may be the start of the region.
     */
    CompletableFuture<Void> splitAfterFirst(Range range) {
        return firstKey(range.from(), range.to())
                .thenCompose(first -> first.isEmpty()
                        ? CompletableFuture.<Optional<Key>>completedFuture(Optional.empty())
                        : firstKey(
                                Key.afterPartition(
                                        first.get().collection(), first.get().partitionKey()),
                                range.to()))
                .thenCompose(next -> next.isEmpty()
                        ? CompletableFuture.failedFuture(new EngineException(
                                EngineException.Kind.UNAVAILABLE,
                                "The range " + range.id() + " holds one partition, and a partition cannot be split."))
                        : admin.splitRegion(
                                name(range.id()),
                                Key.beforePartition(
                                        next.get().collection(), next.get().partitionKey())));
    }

    private CompletableFuture<Optional<Key>> firstKey(byte[] from, byte[] to) {
        Scan scan = new Scan()
                .withStartRow(Bytes.compareTo(from, PageScan.FIRST) < 0 ? PageScan.FIRST : from)
                .withStopRow(to)
                .addFamily(RowCells.FAMILY)
                .setFilter(new FirstKeyOnlyFilter())
                .setLimit(1);
        return connection
                .getTable(table)
                .scanAll(scan)
                .thenApply(rows -> rows.stream().findFirst().map(row -> Key.ofBytes(row.getRow())));
    }

    @Override
    public CompletionStage<Void> merge(String id, String next) {
        return HBaseErrors.translate(range(id)
                .thenCombine(range(next), (one, other) -> {
                    if (Bytes.compareTo(one.to(), other.from()) != 0 || one.to().length == 0) {
                        throw new EngineException(
                                EngineException.Kind.UNAVAILABLE,
                                "The range " + next + " does not follow " + id + "; only neighbours can be merged.");
                    }
                    return one;
                })
                .thenCompose(both -> whenCompacted(
                        List.of(id, next),
                        () -> admin.mergeRegions(List.of(name(id), name(next)), false),
                        COMPACTION_ATTEMPTS_MAX)));
    }

    @Override
    public CompletionStage<Void> move(String id, Optional<String> server) {
        return HBaseErrors.translate(range(id)
                .thenCompose(range -> server.isPresent()
                        ? admin.move(name(id), ServerName.valueOf(server.get()))
                        : admin.move(name(id))));
    }

    private CompletionStage<Range> range(String id) {
        return list().thenApply(ranges -> ranges.stream()
                .filter(range -> range.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE, "There is no range " + id + " now; see the list.")));
    }

    private static byte[] name(String id) {
        return id.getBytes(StandardCharsets.UTF_8);
    }
}
