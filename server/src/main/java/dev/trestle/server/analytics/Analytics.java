package dev.trestle.server.analytics;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.server.analytics.LogBuffer.Entry;
import dev.trestle.server.analytics.MetricsTables.RowOf;
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
 * Writes down what is asked of the services, as far as the properties of each say so. Being told of a request costs a
 * look at properties that are in memory; where something is switched on, a line is made and set aside, or numbers are
 * added up. All else happens on a thread of its own, which writes with the services themselves and never through HTTP, so
 * that nothing of it is written down in turn. When what is to be written cannot be, it waits within bounds for the next
 * time, and no request ever does.
 */
public final class Analytics implements RequestObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Analytics.class);
    private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(10);

    /** Rows that may wait, which is what a day of trouble makes of a few busy accounts. */
    private static final int TALLIES_MAX = 20_000;

    /** Pages of blobs that are counted at a time, which is far less than a second's work. */
    private static final int PAGES_COUNTED_MAX = 10;

    /** How many periods without any request are made up for at once. */
    private static final int EMPTY_PERIODS_MAX = 60;

    private final AnalyticsConfig config;
    private final Accounts accounts;
    private final InstantSource clock;
    private final Map<Service, Function<String, CompletionStage<ServiceProperties>>> properties =
            new ConcurrentHashMap<>();
    private final LogBuffer lines;
    private final ConcurrentHashMap<RowOf, Tally> tallies = new ConcurrentHashMap<>();
    private final AtomicBoolean makingRoom = new AtomicBoolean();
    private final ScheduledExecutorService thread;

    /** Held by whoever writes. */
    private final Object writing = new Object();

    private Instant metricsLooked;
    private volatile @Nullable LogBlobs logs;
    private volatile @Nullable CapacityMetrics capacity;
    private volatile @Nullable MetricsTables metrics;

    /** Analytics of these accounts, of services that are yet to be told. */
    public Analytics(AnalyticsConfig config, Accounts accounts, InstantSource clock) {
        this.config = config;
        this.accounts = accounts;
        this.clock = clock;
        this.lines = new LogBuffer(config.bufferedBytesMax());
        this.metricsLooked = clock.instant();
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "trestle-analytics");
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Watches a service from now on.
     *
     * @param of the properties of the service, by account; asked for every request
     */
    public void watch(Service service, Function<String, CompletionStage<ServiceProperties>> of) {
        properties.put(service, of);
    }

    /** Has logs written there and what is there counted; without it there are none, and nothing is. */
    public void logTo(BlobService blobs) {
        logs = new LogBlobs(blobs);
        capacity = new CapacityMetrics(blobs);
    }

    /** Has metrics written there; without it there are none. */
    public void measureTo(TableService tables) {
        metrics = new MetricsTables(tables);
    }

    /** Begins to write now and then. */
    public void start() {
        every(config.logsEvery(), config.logsEvery(), this::flushLogs);
        every(config.metricsEvery(), config.metricsEvery(), this::flushMetrics);
        every(config.countEvery(), config.countEvery(), this::countBlobs);
        // Soon after the start, for a server may not run for as long as the pause.
        every(config.logsEvery(), config.sweepEvery(), this::sweep);
    }

    private void every(Duration first, Duration pause, Runnable task) {
        Future<?> unused = thread.scheduleWithFixedDelay(
                () -> attempt(task), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whatever goes wrong is told once for each time, and tried again the next time. */
    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("Storage Analytics could not be written; this is tried again", e);
        }
    }

    /** Lines that were never written because there was no room for them, since the start. */
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
            // A fault of ours, which must not become one of the request.
            LOG.error("Request {} is missing from Storage Analytics", request.id(), e);
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
        CredentialKind requester = CredentialKind.of(request.details().credentials());
        if (!RequestStatus.of(request).isLogged(requester, request.status())) {
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
        if (lines.isHalfFull() && makingRoom.compareAndSet(false, true) && !thread.isShutdown()) {
            thread.execute(() -> attempt(this::flushLogs));
        }
    }

    private void count(Metrics settings, MetricsPeriod period, RequestSummary request, Instant now) {
        Instant start = period.start(now);
        count(new RowOf(request.account(), request.service(), period, start, RowOf.ALL), request);
        if (settings.includeApis().orElse(false)) {
            String operation = request.operation().logName(request.service(), request.details());
            count(new RowOf(request.account(), request.service(), period, start, operation), request);
        }
    }

    private void count(RowOf row, RequestSummary request) {
        if (tallies.size() >= TALLIES_MAX && !tallies.containsKey(row)) {
            return;
        }
        // In one step, so that a row is never written while something is added to it.
        tallies.compute(row, (key, tally) -> (tally == null ? new Tally() : tally).add(request));
    }

    /** Writes all lines that wait. */
    void flushLogs() {
        LogBlobs to = logs;
        if (to == null) {
            return;
        }
        synchronized (writing) {
            Map<List<Object>, List<Entry>> together = new LinkedHashMap<>();
            for (Entry entry : lines.take()) {
                together.computeIfAbsent(
                                List.of(entry.account(), entry.service(), entry.hour()), key -> new ArrayList<>())
                        .add(entry);
            }
            RuntimeException trouble = null;
            for (List<Entry> entries : together.values()) {
                try {
                    to.write(entries);
                } catch (RuntimeException e) {
                    entries.forEach(lines::add);
                    trouble = e;
                }
            }
            if (trouble != null) {
                // Until it is time again nobody tries to make room, for that would be for every line.
                throw trouble;
            }
            makingRoom.set(false);
        }
    }

    /** Writes what hours and minutes came to that are over. */
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
            for (RowOf row : List.copyOf(tallies.keySet())) {
                Tally tally = unfinished || !row.period().end(row.start()).isAfter(now) ? tallies.remove(row) : null;
                if (tally != null) {
                    write(to, row, tally);
                }
            }
        }
    }

    private void write(MetricsTables to, RowOf row, Tally tally) {
        try {
            to.add(row, tally);
        } catch (RuntimeException e) {
            tallies.merge(row, tally, Tally::add);
            throw e;
        }
    }

    /** A service that nobody asked anything has a row for that too. */
    private void addEmptyPeriods(Instant now) {
        Instant since = metricsLooked;
        metricsLooked = now;
        forEachService((account, service, settings) -> {
            for (MetricsPeriod period : MetricsPeriod.values()) {
                Instant start = period.start(since);
                int empty = 0;
                while (period.settings(settings).enabled()
                        && empty++ < EMPTY_PERIODS_MAX
                        && !period.end(start).isAfter(now)) {
                    tallies.computeIfAbsent(new RowOf(account, service, period, start, RowOf.ALL), row -> new Tally());
                    start = period.end(start);
                }
            }
        });
    }

    /** Counts some of the blobs of accounts that want metrics and have none of their capacity today. */
    void countBlobs() {
        CapacityMetrics counting = capacity;
        MetricsTables to = metrics;
        if (counting == null || to == null) {
            return;
        }
        synchronized (writing) {
            List<String> wanted = new ArrayList<>();
            forEachService((account, service, settings) -> {
                if (service == Service.BLOB && settings.hourMetrics().enabled()) {
                    wanted.add(account);
                }
            });
            Instant day = clock.instant().truncatedTo(ChronoUnit.DAYS);
            int pages = 0;
            while (pages < PAGES_COUNTED_MAX && counting.step(to, day, wanted)) {
                pages++;
            }
        }
    }

    /** Deletes what has been kept for as long as it should be. */
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
                    (service, of) -> visitor.visit(account.name(), service, Await.on(of.apply(account.name()))));
        }
    }

    /** Writes what waits, also of hours that are not over, and stops; no more requests may be told of. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Storage Analytics is still being written; what waits is lost");
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
