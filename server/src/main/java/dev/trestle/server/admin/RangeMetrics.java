package dev.trestle.server.admin;

import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the partition ranges per storage server of a cluster. A scrape refreshes them if they are older than
 * some seconds, and waits for the cluster up to a time limit; a slower refresh is for the next scrape. Unknown
 * values are omitted.
 */
final class RangeMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(RangeMetrics.class);

    /** The minimum time between two refreshes. */
    static final Duration REFRESH_INTERVAL = Duration.ofSeconds(10);

    /** The age after which metrics are removed. */
    static final Duration AGE_MAX = Duration.ofSeconds(60);

    private final PartitionRanges ranges;
    private final LongSupplier nanoTime;
    private final Duration waitMax;
    private final MultiGauge counts;
    private final MultiGauge bytes;
    private final MultiGauge rates;
    private final MultiGauge unserved;
    private @Nullable CompletableFuture<List<Range>> refresh;
    private @Nullable Snapshot last;

    private record Snapshot(List<Range> ranges, long nanos) {}

    private static final class ServerTotals {
        private int ranges;
        private long bytes;
        private double readsPerSecond;
        private double writesPerSecond;
    }

    /** @param waitMax the maximum time that a scrape waits for the cluster */
    RangeMetrics(MeterRegistry registry, PartitionRanges ranges, LongSupplier nanoTime, Duration waitMax) {
        this.ranges = ranges;
        this.nanoTime = nanoTime;
        this.waitMax = waitMax;
        this.counts = MultiGauge.builder("trestle.storage.server.ranges")
                .description("Partition ranges served by a server of the cluster.")
                .register(registry);
        this.bytes = MultiGauge.builder("trestle.storage.server.bytes")
                .description("Size of these ranges in files and in memory.")
                .register(registry);
        this.rates = MultiGauge.builder("trestle.storage.server.requests.per.second")
                .description("Request rate of these ranges from all front ends.")
                .register(registry);
        this.unserved = MultiGauge.builder("trestle.storage.ranges.unserved")
                .description("Partition ranges that no server serves.")
                .register(registry);
    }

    /** Refreshes the metrics, within the time limit. */
    synchronized void refresh() {
        long now = nanoTime.getAsLong();
        if (refresh == null && (last == null || now - last.nanos >= REFRESH_INTERVAL.toNanos())) {
            refresh = ranges.list().toCompletableFuture();
        }
        if (refresh != null) {
            finish(refresh);
        }
        if (last != null && now - last.nanos > AGE_MAX.toNanos()) {
            hide();
        }
    }

    private void finish(CompletableFuture<List<Range>> begun) {
        try {
            List<Range> found = begun.get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
            refresh = null;
            show(new Snapshot(found, nanoTime.getAsLong()));
        } catch (TimeoutException e) {
            // Continues for the next scrape.
        } catch (ExecutionException e) {
            refresh = null;
            LOG.debug("Could not read the partition ranges", e);
            hide();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hide() {
        last = null;
        counts.register(List.of(), true);
        bytes.register(List.of(), true);
        rates.register(List.of(), true);
        unserved.register(List.of(), true);
    }

    private void show(Snapshot current) {
        Map<String, ServerTotals> servers = new TreeMap<>();
        for (Range range : current.ranges) {
            range.server().ifPresent(server -> {
                ServerTotals totals = servers.computeIfAbsent(server, name -> new ServerTotals());
                totals.ranges++;
                totals.bytes += range.bytes();
            });
        }
        if (last != null) {
            addRates(last, current, servers);
        }
        List<Row<?>> countRows = new ArrayList<>();
        List<Row<?>> byteRows = new ArrayList<>();
        List<Row<?>> rateRows = new ArrayList<>();
        servers.forEach((server, totals) -> {
            Tags tags = Tags.of("server", server);
            countRows.add(Row.of(tags, totals.ranges));
            byteRows.add(Row.of(tags, totals.bytes));
            if (last != null) {
                rateRows.add(Row.of(tags.and("kind", "read"), totals.readsPerSecond));
                rateRows.add(Row.of(tags.and("kind", "write"), totals.writesPerSecond));
            }
        });
        counts.register(countRows, true);
        bytes.register(byteRows, true);
        rates.register(rateRows, true);
        long unservedRanges = current.ranges.stream()
                .filter(range -> range.server().isEmpty())
                .count();
        unserved.register(List.of(Row.of(Tags.empty(), unservedRanges)), true);
        last = current;
    }

    /** Adds rates. Counters restart when a range moves, so only ranges that have not moved contribute. */
    private static void addRates(Snapshot before, Snapshot now, Map<String, ServerTotals> servers) {
        Map<String, Range> earlier = new HashMap<>();
        before.ranges.forEach(range -> earlier.put(range.id(), range));
        double seconds = (now.nanos - before.nanos) / 1e9;
        for (Range range : now.ranges) {
            Range same = earlier.get(range.id());
            ServerTotals totals = range.server().map(servers::get).orElse(null);
            if (same != null && totals != null && same.server().equals(range.server())) {
                totals.readsPerSecond += Math.max(0, range.reads() - same.reads()) / seconds;
                totals.writesPerSecond += Math.max(0, range.writes() - same.writes()) / seconds;
            }
        }
    }
}
