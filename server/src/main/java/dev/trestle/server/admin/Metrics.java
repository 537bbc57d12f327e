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

/** The metrics of the server, in the text format of Prometheus. {@code docs/operations.md} describes them. */
public final class Metrics implements AutoCloseable {
    private static final Duration CLUSTER_WAIT_MAX = Duration.ofSeconds(1);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final RequestMetrics requests;

    /** Keeps the sources of gauges and counters reachable, to which the registry has only weak references. */
    private final List<Object> sources = new ArrayList<>();

    private volatile Optional<RangeMetrics> ranges = Optional.empty();

    /**
     * Creates the metrics.
     *
     * @param operations the operations of each service
     * @param memoryBytes the memory limit of the process, if there is one
     */
    public Metrics(Map<Service, List<Operation<?, ?>>> operations, OptionalLong memoryBytes) {
        this.requests = new RequestMetrics(registry, operations);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
        Gauge.builder("process.resident.memory", ResidentMemory::bytes)
                .description("Resident memory of this process.")
                .baseUnit("bytes")
                .register(registry);
        memoryBytes.ifPresent(limit -> Gauge.builder("trestle.memory.limit", () -> limit)
                .description("Limit of the resident memory of this process.")
                .baseUnit("bytes")
                .register(registry));
        Gauge.builder("trestle.socket.buffers", PlatformDependent::usedDirectMemory)
                .description("Direct memory used by socket buffers.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("trestle.socket.buffers.limit", PlatformDependent::maxDirectMemory)
                .description("Limit of the direct memory.")
                .baseUnit("bytes")
                .register(registry);
    }

    /** Returns the observer of requests. */
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
            sources.add(metric);
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
        gauge(
                "trestle.connections",
                "Open connections.",
                load,
                held -> held.connectionLimiter().connections());
        gauge(
                "trestle.connections.limit",
                "Limit of open connections.",
                load,
                held -> held.limits().connectionsMax());
        gauge(
                "trestle.connections.per.address.limit",
                "Limit of open connections from one remote address.",
                load,
                held -> held.limits().connectionsPerAddressMax());
        counter(
                "trestle.connections.evicted",
                "Idle connections evicted for new ones.",
                Tags.empty(),
                load,
                held -> held.connectionLimiter().evicted());
        counter(
                "trestle.connections.refused",
                "Connections rejected because the limit was reached and none was idle.",
                Tags.empty(),
                load,
                held -> held.connectionLimiter().refused());
        gauge("trestle.requests.in.flight", "Requests in flight.", load, ServerLoad::requestsInFlight);
        gauge(
                "trestle.buffered.body.bytes",
                "Memory used by requests that arrive or are being processed.",
                load,
                ServerLoad::requestBytes);
        gauge(
                "trestle.buffered.body.limit.bytes",
                "Limit of this memory.",
                load,
                held -> held.limits().requestBytesMax());
        gauge(
                "trestle.buffered.response.bytes",
                "Memory used by large responses that clients have not read yet.",
                load,
                ServerLoad::responseBytes);
        gauge(
                "trestle.buffered.response.limit.bytes",
                "Limit of this memory.",
                load,
                held -> held.limits().responseBytesMax());
    }

    /** Adds the metrics of rate limits. */
    public void watch(Throttle throttle) {
        String name = "trestle.throttled.requests";
        String description = "Requests rejected by a rate limit.";
        counter(name, description, Tags.of("limit", "account"), throttle, Throttle::refusedByAccount);
        counter(name, description, Tags.of("limit", "partition"), throttle, Throttle::refusedByPartition);
    }

    /** Adds the metrics of the access log. */
    public void watch(AccessLog log) {
        counter(
                "trestle.access.log.dropped.lines",
                "Lines of the access log that were dropped.",
                Tags.empty(),
                log,
                AccessLog::dropped);
    }

    /** Adds the metrics of blobs. */
    public void watch(BlobService blobs) {
        counter(
                "trestle.blob.damaged.reads",
                "Reads that found damaged content.",
                Tags.empty(),
                blobs,
                BlobService::damagedReads);
    }

    /** Adds the metrics of Storage Analytics. */
    public void watch(Analytics analytics) {
        counter(
                "trestle.analytics.dropped.lines",
                "Lines of Storage Analytics logs that were dropped.",
                Tags.empty(),
                analytics,
                Analytics::droppedLines);
    }

    private <T> void gauge(String name, String description, T source, ToDoubleFunction<T> value) {
        sources.add(source);
        Gauge.builder(name, source, value).description(description).register(registry);
    }

    private <T> void counter(String name, String description, Tags tags, T source, ToDoubleFunction<T> value) {
        sources.add(source);
        FunctionCounter.builder(name, source, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** Returns all metrics in the text format of Prometheus. May block, so it must not run on an event loop. */
    String text() {
        ranges.ifPresent(RangeMetrics::refresh);
        return registry.scrape();
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
