package dev.trestle.server.analytics;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.server.analytics.LogBuffer.Entry;
import dev.trestle.server.analytics.MetricsTables.MetricsKey;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.table.TableService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records requests for Storage Analytics as the service properties require. For each request it reads cached
 * properties; if logging or metrics are enabled, it buffers a log line or updates a counter. A thread of its own
 * writes them to blobs and tables through the services in this process, not over HTTP, so that its writes are not
 * recorded. If a write fails, the data stay buffered within a limit, and no request waits.
 */
public final class Analytics implements RequestObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Analytics.class);
    private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(10);

    /** The rows of metrics that may be pending: about a day of failed writes for a few busy accounts. */
    private static final int PENDING_ROWS_MAX = 20_000;

    /** Pages of blobs counted per run, which takes far less than a second. */
    private static final int PAGES_COUNTED_MAX = 10;

    /** The periods without requests for which rows are added per run. */
    private static final int EMPTY_PERIODS_MAX = 60;

    private final AnalyticsConfig config;
    private final Accounts accounts;
    private final InstantSource clock;
    private final Map<Service, Function<String, CompletionStage<ServiceProperties>>> properties =
            new ConcurrentHashMap<>();
    private final LogBuffer lines;
    private final ConcurrentHashMap<MetricsKey, TransactionMetrics> pending = new ConcurrentHashMap<>();
    private final AtomicBoolean flushRequested = new AtomicBoolean();
    private final ScheduledExecutorService thread;

    /** The lock of the writer. */
    private final Object writing = new Object();

    /** The time up to which periods without requests have rows. */
    private Instant emptyPeriodsAdded;

    private volatile @Nullable LogBlobs logs;
    private volatile @Nullable CapacityMetrics capacity;
    private volatile @Nullable MetricsTables metrics;

    /** Creates analytics for these accounts; services are added with {@link #watch}. */
    public Analytics(AnalyticsConfig config, Accounts accounts, InstantSource clock) {
        this.config = config;
        this.accounts = accounts;
        this.clock = clock;
        this.lines = new LogBuffer(config.bufferedBytesMax());
        this.emptyPeriodsAdded = clock.instant();
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "trestle-analytics");
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Starts to record the requests of a service.
     *
     * @param of returns the properties of the service for an account; called for every request
     */
    public void watch(Service service, Function<String, CompletionStage<ServiceProperties>> of) {
        properties.put(service, of);
    }

    /**
     * Sets the destination of logs, whose capacity is also counted. Without it there are neither logs nor capacity
     * metrics.
     */
    public void logTo(BlobService blobs) {
        logs = new LogBlobs(blobs);
        capacity = new CapacityMetrics(blobs);
    }

    /** Sets the destination of metrics. Without it there are none. */
    public void measureTo(TableService tables) {
        metrics = new MetricsTables(tables);
    }

    /** Starts the periodic tasks. */
    public void start() {
        every(config.logsEvery(), config.logsEvery(), this::flushLogs);
        every(config.metricsEvery(), config.metricsEvery(), this::flushMetrics);
        every(config.countEvery(), config.countEvery(), this::countBlobs);
        // The first sweep is early, because a server may run for less time than the interval.
        every(config.logsEvery(), config.sweepEvery(), this::sweep);
    }

    private void every(Duration first, Duration pause, Runnable task) {
        Future<?> unused = thread.scheduleWithFixedDelay(
                () -> attempt(task), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a task; a failure is logged, and the next run retries. */
    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("Could not write Storage Analytics; the next run will retry", e);
        }
    }

    /** Returns the number of log lines dropped because the buffer was full, since the start. */
    public long droppedLines() {
        return lines.dropped();
    }

    @Override
    public void finished(RequestSummary request) {
        Function<String, CompletionStage<ServiceProperties>> of = properties.get(request.service());
        if (of == null || accounts.find(request.account()).isEmpty()) {
            return;
        }
        CompletionStage<ServiceProperties> asked = of.apply(request.account());
        CompletableFuture<ServiceProperties> known = asked.toCompletableFuture();
        if (!known.isDone()) {
            asked.thenAccept(settings -> take(settings, request));
        } else if (!known.isCompletedExceptionally()) {
            take(known.join(), request);
        }
    }

    private void take(ServiceProperties settings, RequestSummary request) {
        try {
            write(settings, request);
        } catch (RuntimeException e) {
            // A bug, which must not fail the request.
            LOG.error("Request missing from Storage Analytics: request={}", request.id(), e);
        }
    }

    private void write(ServiceProperties settings, RequestSummary request) {
        boolean hours = settings.hourMetrics().enabled();
        boolean minutes = settings.minuteMetrics().enabled();
        Logging logging = settings.logging();
        boolean logged = (logging.read() || logging.write() || logging.delete())
                && RequestKind.of(request).isLogged(logging);
        if (!hours && !minutes && !logged) {
            return;
        }
        Instant now = clock.instant();
        if (logged && logs != null) {
            log(request, now);
        }
        if (hours && metrics != null) {
            count(settings.hourMetrics(), MetricsPeriod.HOUR, request, now);
        }
        if (minutes && metrics != null) {
            count(settings.minuteMetrics(), MetricsPeriod.MINUTE, request, now);
        }
    }

    private void log(RequestSummary request, Instant now) {
        CredentialKind credential = CredentialKind.of(request.details().credentials());
        if (!RequestStatus.of(request).isLogged(credential, request.status())) {
            return;
        }
        Instant started = now.minusNanos(request.nanos());
        lines.add(new Entry(
                request.account(),
                request.service(),
                now.truncatedTo(ChronoUnit.HOURS),
                RequestKind.of(request),
                started,
                LogLine.of(request, started)));
        if (lines.isHalfFull() && flushRequested.compareAndSet(false, true) && !thread.isShutdown()) {
            thread.execute(() -> attempt(this::flushLogs));
        }
    }

    private void count(Metrics settings, MetricsPeriod period, RequestSummary request, Instant now) {
        Instant start = period.start(now);
        count(new MetricsKey(request.account(), request.service(), period, start, MetricsKey.ALL), request);
        if (settings.includeApis().orElse(false)) {
            String operation = request.operation().logName(request.service(), request.details());
            count(new MetricsKey(request.account(), request.service(), period, start, operation), request);
        }
    }

    private void count(MetricsKey row, RequestSummary request) {
        if (pending.size() >= PENDING_ROWS_MAX && !pending.containsKey(row)) {
            return;
        }
        // Atomic, so that a row is not written while it is updated.
        pending.compute(row, (key, sum) -> (sum == null ? new TransactionMetrics() : sum).add(request));
    }

    /** Writes all buffered lines. */
    void flushLogs() {
        LogBlobs to = logs;
        if (to == null) {
            return;
        }
        synchronized (writing) {
            Map<List<Object>, List<Entry>> byBlob = new LinkedHashMap<>();
            for (Entry entry : lines.take()) {
                byBlob.computeIfAbsent(
                                List.of(entry.account(), entry.service(), entry.hour()), key -> new ArrayList<>())
                        .add(entry);
            }
            RuntimeException failure = null;
            for (List<Entry> entries : byBlob.values()) {
                try {
                    to.write(entries);
                } catch (RuntimeException e) {
                    entries.forEach(lines::add);
                    failure = e;
                }
            }
            if (failure != null) {
                // The flag stays set until the next periodic run, so that not every line triggers a retry.
                throw failure;
            }
            flushRequested.set(false);
        }
    }

    /** Writes the metrics of all periods that have ended. */
    void flushMetrics() {
        flushMetrics(false);
    }

    private void flushMetrics(boolean unfinished) {
        MetricsTables to = metrics;
        if (to == null) {
            return;
        }
        synchronized (writing) {
            Instant now = clock.instant();
            addEmptyPeriods(now);
            for (MetricsKey row : List.copyOf(pending.keySet())) {
                TransactionMetrics sum =
                        unfinished || !row.period().end(row.start()).isAfter(now) ? pending.remove(row) : null;
                if (sum != null) {
                    write(to, row, sum);
                }
            }
        }
    }

    private void write(MetricsTables to, MetricsKey row, TransactionMetrics sum) {
        try {
            to.add(row, sum);
        } catch (RuntimeException e) {
            pending.merge(row, sum, TransactionMetrics::add);
            throw e;
        }
    }

    /** Adds rows for periods without requests, as the service does. */
    private void addEmptyPeriods(Instant now) {
        Instant since = emptyPeriodsAdded;
        emptyPeriodsAdded = now;
        forEachService((account, service, settings) -> {
            for (MetricsPeriod period : MetricsPeriod.values()) {
                Instant start = period.start(since);
                int empty = 0;
                while (period.settings(settings).enabled()
                        && empty++ < EMPTY_PERIODS_MAX
                        && !period.end(start).isAfter(now)) {
                    pending.computeIfAbsent(
                            new MetricsKey(account, service, period, start, MetricsKey.ALL),
                            row -> new TransactionMetrics());
                    start = period.end(start);
                }
            }
        });
    }

    /** Counts some blobs of accounts that have metrics enabled and no capacity metrics of today. */
    void countBlobs() {
        CapacityMetrics counting = capacity;
        MetricsTables to = metrics;
        if (counting == null || to == null) {
            return;
        }
        synchronized (writing) {
            List<String> enabled = new ArrayList<>();
            forEachService((account, service, settings) -> {
                if (service == Service.BLOB && settings.hourMetrics().enabled()) {
                    enabled.add(account);
                }
            });
            Instant day = clock.instant().truncatedTo(ChronoUnit.DAYS);
            int pages = 0;
            while (pages < PAGES_COUNTED_MAX && counting.step(to, day, enabled)) {
                pages++;
            }
        }
    }

    /** Deletes logs and metrics that are older than their retention. */
    void sweep() {
        synchronized (writing) {
            Instant now = clock.instant();
            forEachService((account, service, settings) -> {
                LogBlobs blobs = logs;
                Retention ofLogs = settings.logging().retention();
                if (blobs != null && ofLogs.days().isPresent()) {
                    blobs.deleteBefore(
                            account,
                            service,
                            now.minus(Duration.ofDays(ofLogs.days().get())));
                }
                MetricsTables tables = metrics;
                for (MetricsPeriod period : MetricsPeriod.values()) {
                    Retention ofMetrics = period.settings(settings).retention();
                    if (tables != null && ofMetrics.days().isPresent()) {
                        Instant kept =
                                now.minus(Duration.ofDays(ofMetrics.days().get()));
                        tables.deleteBefore(account, service, period, kept);
                        if (service == Service.BLOB && period == MetricsPeriod.HOUR) {
                            tables.deleteCapacityBefore(account, kept);
                        }
                    }
                }
            });
        }
    }

    private interface OfService {
        void visit(String account, Service service, ServiceProperties settings);
    }

    private void forEachService(OfService visitor) {
        for (Account account : accounts.all()) {
            properties.forEach(
                    (service, of) -> visitor.visit(account.name(), service, Futures.await(of.apply(account.name()))));
        }
    }

    /**
     * Writes all that is buffered, including the current periods, and stops. No requests may be recorded
     * afterwards.
     */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Storage Analytics did not stop in time; buffered lines and metrics are lost");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        attempt(this::flushLogs);
        attempt(() -> flushMetrics(true));
    }
}
