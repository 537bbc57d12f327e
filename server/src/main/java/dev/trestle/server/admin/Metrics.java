package dev.trestle.server.admin;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Metric;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.analytics.Analytics;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/** Every number the server tells about itself, and its page for Prometheus. What each means: {@code docs/operations.md}. */
public final class Metrics implements AutoCloseable {
    private static final Duration CLUSTER_WAIT_MAX = Duration.ofSeconds(1);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final RequestMetrics requests;

    /** The registry refers to what it watches weakly; this keeps it. */
    private final List<Object> watched = new ArrayList<>();

    private volatile Optional<RangeMetrics> ranges = Optional.empty();

    /**
     * @param operations those of each service whose requests are counted
     * @param memoryBytes what the process may take in all, if that was decided
     */
    public Metrics(Map<Service, List<Operation<?, ?>>> operations, OptionalLong memoryBytes) {
        this.requests = new RequestMetrics(registry, operations);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        Gauge.builder("process.resident.memory", ResidentMemory::bytes)
                .description("Memory of this process that is in RAM.")
                .baseUnit("bytes")
                .register(registry);
        memoryBytes.ifPresent(limit -> Gauge.builder("trestle.memory.limit", () -> limit)
                .description("Memory this process may have in RAM.")
                .baseUnit("bytes")
                .register(registry));
        Gauge.builder("trestle.socket.buffers", PlatformDependent::usedDirectMemory)
                .description("Memory outside the heap for what is read from and written to sockets.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("trestle.socket.buffers.limit", PlatformDependent::maxDirectMemory)
                .description("Such memory there may be.")
                .baseUnit("bytes")
                .register(registry);
    }

    /** The one to tell of every request. */
    public RequestObserver requests() {
        return requests;
    }

    /** Registers the metrics of an engine. */
    public void watch(EngineTelemetry engine) {
        engine.observe(new CommitMetrics(registry));
        for (Metric metric : engine.metrics()) {
            String name = "trestle." + metric.name();
            List<Tag> tags = metric.labels().entrySet().stream()
                    .map(label -> Tag.of(label.getKey(), label.getValue()))
                    .toList();
            ToDoubleFunction<Metric> value = each -> each.value().getAsDouble();
            watched.add(metric);
            switch (metric.kind()) {
                case GAUGE ->
                    Gauge.builder(name, metric, value)
                            .description(metric.description())
                            .tags(tags)
                            .register(registry);
                case COUNTER ->
                    FunctionCounter.builder(name, metric, value)
                            .description(metric.description())
                            .tags(tags)
                            .register(registry);
            }
        }
    }

    /** Registers the metrics of the key ranges of a cluster. */
    public void watch(PartitionRanges cluster) {
        ranges = Optional.of(new RangeMetrics(registry, cluster, System::nanoTime, CLUSTER_WAIT_MAX));
    }

    /** Watches what connections hold from now on. */
    public void watch(ServerLoad load) {
        level(
                "trestle.connections",
                "Open connections.",
                load,
                held -> held.connectionLimiter().connections());
        level(
                "trestle.connections.limit",
                "Connections there may be.",
                load,
                held -> held.limits().connectionsMax());
        level(
                "trestle.connections.per.address.limit",
                "Connections there may be from one remote address.",
                load,
                held -> held.limits().connectionsPerAddressMax());
        total(
                "trestle.connections.evicted",
                "Idle connections closed to make room for new ones.",
                Tags.empty(),
                load,
                held -> held.connectionLimiter().evicted());
        total(
                "trestle.connections.refused",
                "Connections closed at once because there were too many and none was idle.",
                Tags.empty(),
                load,
                held -> held.connectionLimiter().refused());
        level("trestle.requests.under.way", "Requests not answered yet.", load, ServerLoad::requestsInFlight);
        level(
                "trestle.buffered.body.bytes",
                "Requests that are arriving or being served.",
                load,
                ServerLoad::requestBytes);
        level(
                "trestle.buffered.body.limit.bytes",
                "Bytes there may be.",
                load,
                held -> held.limits().requestBytesMax());
        level(
                "trestle.waiting.answer.bytes",
                "Large answers that clients have not taken yet.",
                load,
                ServerLoad::responseBytes);
        level(
                "trestle.waiting.answer.limit.bytes",
                "Bytes there may be.",
                load,
                held -> held.limits().responseBytesMax());
    }

    /** Watches what is refused by rate from now on. */
    public void watch(Throttle throttle) {
        String name = "trestle.throttled.requests";
        String description = "Requests refused because of a limit on their rate, by that limit.";
        total(name, description, Tags.of("limit", "account"), throttle, Throttle::refusedByAccount);
        total(name, description, Tags.of("limit", "partition"), throttle, Throttle::refusedByPartition);
    }

    /** Watches what the access log could not write from now on. */
    public void watch(AccessLog log) {
        total(
                "trestle.access.log.dropped.lines",
                "Lines of the access log that were never written.",
                Tags.empty(),
                log,
                AccessLog::dropped);
    }

    /** Watches what is found of damage in blobs from now on. */
    public void watch(BlobService blobs) {
        total(
                "trestle.blob.damaged.reads",
                "Reads that met a content which is not what was written.",
                Tags.empty(),
                blobs,
                BlobService::damagedReads);
    }

    /** Watches what Storage Analytics had no room for from now on. */
    public void watch(Analytics analytics) {
        total(
                "trestle.analytics.dropped.lines",
                "Lines of Storage Analytics logs that were never written.",
                Tags.empty(),
                analytics,
                Analytics::droppedLines);
    }

    private <T> void level(String name, String description, T source, ToDoubleFunction<T> value) {
        watched.add(source);
        Gauge.builder(name, source, value).description(description).register(registry);
    }

    private <T> void total(String name, String description, Tags tags, T source, ToDoubleFunction<T> value) {
        watched.add(source);
        FunctionCounter.builder(name, source, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** All of it in the text format of Prometheus. Looks everything up, so not on an event loop. */
    String text() {
        ranges.ifPresent(RangeMetrics::refresh);
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
