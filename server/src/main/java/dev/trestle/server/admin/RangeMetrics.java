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
 * What each server of a cluster holds and is asked for. The cluster is looked at when somebody wants to know and has not for
 * some seconds; whoever does waits a moment at most, and a look that takes longer is for the next. What is not known is
 * left out.
 */
final class RangeMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(RangeMetrics.class);

    /** So long nobody looks again. */
    static final Duration REST = Duration.ofSeconds(10);

    /** What is older than this is not shown any more. */
    static final Duration SHOWN_MAX = Duration.ofSeconds(60);

    private final PartitionRanges ranges;
    private final LongSupplier nanoTime;
    private final Duration waitMax;
    private final MultiGauge counts;
    private final MultiGauge bytes;
    private final MultiGauge rates;
    private final MultiGauge unserved;
    private @Nullable CompletableFuture<List<Range>> look;
    private @Nullable Seen last;

    private record Seen(List<Range> ranges, long nanos) {}

    private static final class Held {
        private int ranges;
        private long bytes;
        private double readsPerSecond;
        private double writesPerSecond;
    }

    /** @param waitMax how long whoever wants to know may wait for the cluster */
    RangeMetrics(MeterRegistry registry, PartitionRanges ranges, LongSupplier nanoTime, Duration waitMax) {
        this.ranges = ranges;
        this.nanoTime = nanoTime;
        this.waitMax = waitMax;
        this.counts = MultiGauge.builder("trestle.storage.server.ranges")
                .description("Ranges of partitions that a server of the cluster serves.")
                .register(registry);
        this.bytes = MultiGauge.builder("trestle.storage.server.bytes")
                .description("Size of these ranges, in files and in memory.")
                .register(registry);
        this.rates = MultiGauge.builder("trestle.storage.server.requests.per.second")
                .description("What was asked of these ranges lately, by all front ends.")
                .register(registry);
        this.unserved = MultiGauge.builder("trestle.storage.ranges.unserved")
                .description("Ranges of partitions that no server serves at the moment.")
                .register(registry);
    }

    /** Brings the figures up to date, if that takes no longer than it may. */
    synchronized void refresh() {
        long now = nanoTime.getAsLong();
        if (look == null && (last == null || now - last.nanos >= REST.toNanos())) {
            look = ranges.list().toCompletableFuture();
        }
        if (look != null) {
            finish(look);
        }
        if (last != null && now - last.nanos > SHOWN_MAX.toNanos()) {
            hide();
        }
    }

    private void finish(CompletableFuture<List<Range>> begun) {
        try {
            List<Range> found = begun.get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
            look = null;
            show(new Seen(found, nanoTime.getAsLong()));
        } catch (TimeoutException e) {
            // Goes on, for whoever asks next.
        } catch (ExecutionException e) {
            look = null;
            LOG.debug("The cluster does not tell its ranges", e);
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

    private void show(Seen seen) {
        Map<String, Held> servers = new TreeMap<>();
        for (Range range : seen.ranges) {
            range.server().ifPresent(server -> {
                Held held = servers.computeIfAbsent(server, name -> new Held());
                held.ranges++;
                held.bytes += range.bytes();
            });
        }
        if (last != null) {
            addRates(last, seen, servers);
        }
        List<Row<?>> countRows = new ArrayList<>();
        List<Row<?>> byteRows = new ArrayList<>();
        List<Row<?>> rateRows = new ArrayList<>();
        servers.forEach((server, held) -> {
            Tags tags = Tags.of("server", server);
            countRows.add(Row.of(tags, held.ranges));
            byteRows.add(Row.of(tags, held.bytes));
            if (last != null) {
                rateRows.add(Row.of(tags.and("kind", "read"), held.readsPerSecond));
                rateRows.add(Row.of(tags.and("kind", "write"), held.writesPerSecond));
            }
        });
        counts.register(countRows, true);
        bytes.register(byteRows, true);
        rates.register(rateRows, true);
        long alone =
                seen.ranges.stream().filter(range -> range.server().isEmpty()).count();
        unserved.register(List.of(Row.of(Tags.empty(), alone)), true);
        last = seen;
    }

    /** Counts begin anew when a server takes a range, so only ranges that stayed where they were tell anything. */
    private static void addRates(Seen before, Seen now, Map<String, Held> servers) {
        Map<String, Range> earlier = new HashMap<>();
        before.ranges.forEach(range -> earlier.put(range.id(), range));
        double seconds = (now.nanos - before.nanos) / 1e9;
        for (Range range : now.ranges) {
            Range same = earlier.get(range.id());
            Held held = range.server().map(servers::get).orElse(null);
            if (same != null && held != null && same.server().equals(range.server())) {
                held.readsPerSecond += Math.max(0, range.reads() - same.reads()) / seconds;
                held.writesPerSecond += Math.max(0, range.writes() - same.writes()) / seconds;
            }
        }
    }
}
