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

/** The regions of the table. */
final class Regions implements PartitionRanges {
    private static final int TIDY_TRIES = 60;
    private static final Duration TIDY_DELAY = Duration.ofSeconds(4);

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
        return HBaseErrors.answered(locations()
                .thenCompose(found -> metrics(found).thenApply(metrics -> ranges(found, metrics))));
    }

    @Override
    public CompletionStage<List<String>> servers() {
        return HBaseErrors.answered(admin.getRegionServers()
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
                    // A server that just went away has none to tell.
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
            Optional<RegionMetrics> figures =
                    Optional.ofNullable(metrics.get(location.getRegion().getRegionNameAsString()));
            ranges.add(new Range(
                    location.getRegion().getEncodedName(),
                    location.getRegion().getStartKey(),
                    location.getRegion().getEndKey(),
                    Optional.ofNullable(location.getServerName()).map(ServerName::getServerName),
                    figures.map(Regions::bytes).orElse(0L),
                    figures.map(RegionMetrics::getReadRequestCount).orElse(0L),
                    figures.map(RegionMetrics::getWriteRequestCount).orElse(0L)));
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
        return HBaseErrors.answered(range(id)
                .thenCompose(range -> whenTidy(
                        List.of(id),
                        () -> at.isPresent() ? admin.splitRegion(name(id), at.get()) : splitAnywhere(range),
                        TIDY_TRIES)));
    }

    private CompletableFuture<Void> splitAnywhere(Range range) {
        return admin.splitRegion(name(range.id()))
                .exceptionallyCompose(failure ->
                        isUntidy(failure) ? CompletableFuture.failedFuture(failure) : splitBehindFirst(range));
    }

    /**
     * A region that was split or merged a while ago still refers to the files of the one it came from, and takes part in
     * nothing of the kind until it has been compacted.
     */
    private CompletableFuture<Void> whenTidy(List<String> ids, Supplier<CompletableFuture<Void>> action, int tries) {
        return action.get().exceptionallyCompose(failure -> {
            if (!isUntidy(failure) || tries == 0) {
                return CompletableFuture.failedFuture(failure);
            }
            CompletableFuture<Void> compacting = CompletableFuture.completedFuture(null);
            for (String id : ids) {
                compacting = compacting.thenCompose(done -> admin.majorCompactRegion(name(id)));
            }
            return compacting
                    .thenCompose(done -> Timer.after(TIDY_DELAY))
                    .thenCompose(later -> whenTidy(ids, action, tries - 1));
        });
    }

    private static boolean isUntidy(Throwable failure) {
        String message = String.valueOf(StageFailures.cause(failure).getMessage());
        return message.contains("NOT splittable") || message.contains("not mergeable");
    }

    /**
     * Where the middle lies in a long partition, HBase sees nothing to split at but that partition's beginning, which may be
     * where the region begins. Then those behind it go apart.
     */
    CompletableFuture<Void> splitBehindFirst(Range range) {
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
        return HBaseErrors.answered(range(id)
                .thenCombine(range(next), (one, other) -> {
                    if (Bytes.compareTo(one.to(), other.from()) != 0 || one.to().length == 0) {
                        throw new EngineException(
                                EngineException.Kind.UNAVAILABLE,
                                "The range " + next + " does not follow " + id + "; only neighbours can be merged.");
                    }
                    return one;
                })
                .thenCompose(both -> whenTidy(
                        List.of(id, next),
                        () -> admin.mergeRegions(List.of(name(id), name(next)), false),
                        TIDY_TRIES)));
    }

    @Override
    public CompletionStage<Void> move(String id, Optional<String> server) {
        return HBaseErrors.answered(range(id)
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
