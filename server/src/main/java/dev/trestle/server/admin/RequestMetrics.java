package dev.trestle.server.admin;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.plan.QueryPlan.AccessPath;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestSummary;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Metrics of finished requests. All event loops call it, so the counters of successes are cached in an array. */
final class RequestMetrics implements RequestObserver {
    private static final Duration[] LATENCY_BUCKETS =
            LatencyBuckets.between(Duration.ofNanos(100_000), Duration.ofSeconds(30));

    private static final int FIRST_SUCCESS = 200;
    private static final int SUCCESSES = 5;

    private final MeterRegistry registry;
    private final Map<Service, Map<Operation<?, ?>, Counters>> counters = new EnumMap<>(Service.class);
    private final Counter bytesIn;
    private final Counter bytesOut;
    private final Map<AccessPath, Plans> plans = new EnumMap<>(AccessPath.class);

    /** @param successes the counters of status 200 and above, by index; created on demand */
    private record Counters(Timer latency, AtomicReferenceArray<Counter> successes) {}

    private record Plans(Counter queries, Counter examined, Counter returned) {}

    /** @param operations the operations of each service */
    RequestMetrics(MeterRegistry registry, Map<Service, List<Operation<?, ?>>> operations) {
        this.registry = registry;
        operations.forEach((service, all) -> {
            Map<Operation<?, ?>, Counters> ofService = new HashMap<>();
            all.forEach(operation -> ofService.put(operation, counters(registry, service, operation)));
            ofService.put(Operation.PREFLIGHT, counters(registry, service, Operation.PREFLIGHT));
            ofService.put(Operation.UNKNOWN, counters(registry, service, Operation.UNKNOWN));
            counters.put(service, ofService);
        });
        this.bytesIn = Counter.builder("trestle.request.body")
                .description("Bytes of request bodies.")
                .baseUnit("bytes")
                .register(registry);
        this.bytesOut = Counter.builder("trestle.response.body")
                .description("Bytes of response bodies.")
                .baseUnit("bytes")
                .register(registry);
        for (AccessPath path : AccessPath.values()) {
            plans.put(
                    path,
                    new Plans(
                            counter("trestle.query.plans", "Pages of queries by access path.", path),
                            counter("trestle.query.rows.examined", "Entities that queries examined.", path),
                            counter("trestle.query.rows.returned", "Entities that queries returned.", path)));
        }
    }

    private static Counters counters(MeterRegistry registry, Service service, Operation<?, ?> operation) {
        Timer latency = Timer.builder("trestle.request.duration")
                .description("From the head of a request until its response was written to the socket.")
                .tag("service", service.word())
                .tag("operation", operation.name())
                .serviceLevelObjectives(LATENCY_BUCKETS)
                .register(registry);
        return new Counters(latency, new AtomicReferenceArray<>(SUCCESSES));
    }

    private Counter counter(String name, String description, AccessPath path) {
        return Counter.builder(name)
                .description(description)
                .tag("plan", path.toString())
                .register(registry);
    }

    @Override
    public void finished(RequestSummary request) {
        Counters ofOperation = Objects.requireNonNull(
                Objects.requireNonNull(counters.get(request.service())).get(request.operation()));
        ofOperation.latency.record(request.nanos(), TimeUnit.NANOSECONDS);
        counter(ofOperation, request).increment();
        if (request.bytesIn() > 0) {
            bytesIn.increment((double) request.bytesIn());
        }
        if (request.bytesOut() > 0) {
            bytesOut.increment((double) request.bytesOut());
        }
        Optional<QueryPlan> plan = request.plan();
        if (plan.isPresent()) {
            count(plan.get(), request);
        }
    }

    private void count(QueryPlan plan, RequestSummary request) {
        Plans kind = Objects.requireNonNull(plans.get(plan.accessPath()));
        kind.queries.increment();
        kind.examined.increment((double) request.rowsExamined());
        kind.returned.increment((double) request.rowsReturned());
    }

    private Counter counter(Counters ofOperation, RequestSummary request) {
        int success = request.status() - FIRST_SUCCESS;
        if (request.error().isPresent() || success < 0 || success >= SUCCESSES) {
            return registered(request);
        }
        Counter known = ofOperation.successes.get(success);
        if (known == null) {
            known = registered(request);
            ofOperation.successes.set(success, known);
        }
        return known;
    }

    /** Returns the counter of the registry with these labels, which is created if necessary. */
    private Counter registered(RequestSummary request) {
        return Counter.builder("trestle.requests")
                .description("Requests by operation, status and error.")
                .tag("service", request.service().word())
                .tag("operation", request.operation().name())
                .tag("status", Integer.toString(request.status()))
                .tag("error", request.error().map(StorageError::code).orElse(""))
                .register(registry);
    }
}
