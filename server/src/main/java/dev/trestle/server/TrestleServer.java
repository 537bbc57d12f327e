package dev.trestle.server;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.queue.QueueService;
import dev.trestle.server.admin.AccessLog;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.admin.AdminServer;
import dev.trestle.server.admin.Metrics;
import dev.trestle.server.admin.PartitionsView;
import dev.trestle.server.admin.Readiness;
import dev.trestle.server.admin.ScrubRunner;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.analytics.Analytics;
import dev.trestle.server.analytics.AnalyticsConfig;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.auth.jwt.TokenVerifier;
import dev.trestle.server.http.ServiceEndpoint;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.table.TableService;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: it creates the services, listens on their ports and stops them. It uses an engine but does not
 * own it.
 */
public final class TrestleServer implements AutoCloseable {
    /** The TTL of cached tables, policies and properties that other servers may change. */
    private static final Duration SHARED_CACHE_TTL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(TrestleServer.class);

    private final EventLoops eventLoops;
    private final HttpListeners listeners;
    private final Readiness readiness;
    private final Duration drainTime;
    private final Optional<Metrics> metrics;
    private final Optional<AccessLog> accessLog;
    private Optional<HttpServer> admin = Optional.empty();
    private final Analytics analytics;
    private Optional<ContentStore> contents = Optional.empty();
    private Optional<ScrubRunner> scrubs = Optional.empty();

    private TrestleServer(
            EventLoops eventLoops,
            HttpListeners listeners,
            Readiness readiness,
            Duration drainTime,
            Optional<Metrics> metrics,
            Optional<AccessLog> accessLog,
            Analytics analytics) {
        this.eventLoops = eventLoops;
        this.listeners = listeners;
        this.readiness = readiness;
        this.drainTime = drainTime;
        this.metrics = metrics;
        this.accessLog = accessLog;
        this.analytics = analytics;
    }

    /** Loads the classes of the network stack in the background, while the caller opens its engine. Optional. */
    public static void warmUp(SocketTransport transport) {
        EventLoops.warmUp(transport);
    }

    /**
     * Starts a server, which accepts requests when this returns.
     *
     * @throws ServerStartException if the address, the certificate or the transport cannot be used
     */
    public static TrestleServer start(ServerConfig config, Storage storage) {
        return start(config, storage, InstantSource.system());
    }

    static TrestleServer start(ServerConfig config, Storage storage, InstantSource clock) {
        EngineTelemetry telemetry = storage.telemetry();
        Optional<TokenVerifier> tokens = config.bearer().map(bearer -> loadKeys(bearer, clock));
        Optional<AccessLog> accessLog = config.accessLog().map(log -> openLog(log, clock));
        EventLoops eventLoops = EventLoops.start(config.transport());
        Engine engine = new EventLoopEngine(storage.engine(), eventLoops.vertx(), EventLoops.COUNT);
        Set<Service> services = config.ports().keySet();
        Optional<Metrics> metrics = config.admin().map(admin -> new Metrics(operations(services), admin.memoryBytes()));
        Analytics analytics = new Analytics(AnalyticsConfig.DEFAULT, config.accounts(), clock);
        ServerContext context = new ServerContext(
                eventLoops.vertx(),
                config.accounts(),
                clock,
                System::nanoTime,
                config.explainRefusals(),
                tokens,
                config.bearerTenant(),
                config.http().times(),
                new Throttle(config.http().rateLimits(), System::nanoTime),
                new ServerLoad(config.http().loadLimit()),
                observer(metrics, accessLog, analytics));
        metrics.ifPresent(watching -> watch(watching, storage, context, accessLog, analytics));
        Map<Service, Catalogue> catalogues = new EnumMap<>(Service.class);
        services.forEach(service -> catalogues.put(service, catalogue(service, engine, clock)));
        Catalogue any = catalogues.values().iterator().next();
        TrestleServer server = new TrestleServer(
                eventLoops,
                new HttpListeners(config),
                new Readiness(any::probe, telemetry::damage, System::nanoTime),
                config.http().times().drain(),
                metrics,
                accessLog,
                analytics);
        boolean started = false;
        try {
            for (Map.Entry<Service, Catalogue> each : catalogues.entrySet()) {
                Service service = each.getKey();
                server.listeners.listen(
                        service,
                        eventLoops.vertx(service),
                        server.endpoint(service, each.getValue(), engine, storage, config, context));
            }
            if (server.scrubs.isEmpty() && engine.rowVerification().isPresent()) {
                server.scrubs = Optional.of(new ScrubRunner(engine.rowVerification(), Optional.empty()));
            }
            Optional<PartitionsView> partitions = storage.ranges().map(ranges -> new PartitionsView(engine, ranges));
            config.admin().ifPresent(admin -> server.startAdmin(admin, partitions));
            analytics.start();
            started = true;
        } finally {
            if (!started) {
                server.close();
            }
        }
        return server;
    }

    private static Map<Service, List<Operation<?, ?>>> operations(Set<Service> services) {
        Map<Service, List<Operation<?, ?>>> operations = new EnumMap<>(Service.class);
        services.forEach(service -> operations.put(service, ServiceEndpoints.operations(service)));
        return operations;
    }

    /** Returns the observer of all requests. */
    private static RequestObserver observer(
            Optional<Metrics> metrics, Optional<AccessLog> accessLog, Analytics analytics) {
        List<RequestObserver> observers = new ArrayList<>();
        metrics.ifPresent(watching -> observers.add(watching.requests()));
        accessLog.ifPresent(observers::add);
        observers.add(analytics);
        return RequestObserver.all(observers);
    }

    private static void watch(
            Metrics metrics,
            Storage storage,
            ServerContext context,
            Optional<AccessLog> accessLog,
            Analytics analytics) {
        metrics.watch(storage.telemetry());
        storage.ranges().ifPresent(metrics::watch);
        metrics.watch(context.load());
        metrics.watch(context.throttle());
        accessLog.ifPresent(metrics::watch);
        metrics.watch(analytics);
    }

    private static Catalogue catalogue(Service service, Engine engine, InstantSource clock) {
        return engine.isShared()
                ? new Catalogue(service, engine, clock, new SecureRandom(), SHARED_CACHE_TTL)
                : new Catalogue(service, engine, clock, new SecureRandom());
    }

    private ServiceEndpoint endpoint(
            Service service,
            Catalogue catalogue,
            Engine engine,
            Storage storage,
            ServerConfig config,
            ServerContext context) {
        ServiceEndpoints endpoints = new ServiceEndpoints(context, eventLoops.vertx(service));
        return switch (service) {
            case TABLE -> {
                resumeReclaiming(catalogue, context);
                TableService tables = new TableService(engine, catalogue);
                analytics.watch(service, catalogue::properties);
                analytics.measureTo(tables);
                yield endpoints.table(tables, catalogue);
            }
            case QUEUE -> {
                resumeReclaiming(catalogue, context);
                QueueService queues = new QueueService(engine, catalogue, context.clock(), new SecureRandom());
                new Sweeper(context.vertx(), queues, context.accounts(), engine.isShared()).start();
                analytics.watch(service, catalogue::properties);
                yield endpoints.queue(queues, catalogue);
            }
            case BLOB -> {
                ContentStore store = storage.contents().get();
                contents = Optional.of(store);
                Catalogue containers = catalogue.with(store);
                resumeReclaiming(containers, context);
                BlobService blobs = new BlobService(
                        engine,
                        store,
                        containers,
                        context.clock(),
                        new SecureRandom(),
                        config.blobs().rehydration(),
                        failure ->
                                LOG.warn("Could not reclaim unreferenced blob content; the next scrub will", failure));
                blobs.recover().whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn("Could not remove incomplete uploads; the next start will", failure);
                    }
                });
                metrics.ifPresent(watching -> watching.watch(blobs));
                analytics.watch(service, containers::properties);
                analytics.logTo(blobs);
                scrubs = Optional.of(new ScrubRunner(engine.rowVerification(), Optional.of(blobs.scrub())));
                yield endpoints.blob(blobs, containers, config.blobs().publicAccess());
            }
        };
    }

    private static void resumeReclaiming(Catalogue catalogue, ServerContext context) {
        for (Account account : context.accounts().all()) {
            catalogue.resumeReclaiming(account.name());
        }
    }

    private static TokenVerifier loadKeys(BearerConfig config, InstantSource clock) {
        try {
            return TokenVerifier.load(config.keys(), config.issuer(), config.audience(), clock);
        } catch (IOException e) {
            throw unusableKeys(config, "it cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw unusableKeys(config, String.valueOf(e.getMessage()), e);
        }
    }

    private static ServerStartException unusableKeys(BearerConfig config, String why, Exception cause) {
        return new ServerStartException(
                "The file " + config.keys() + " cannot be used to check bearer tokens: " + why
                        + ". Choose another with --bearer-keys.",
                cause);
    }

    private static AccessLog openLog(AccessLogConfig config, InstantSource clock) {
        try {
            return AccessLog.open(config, clock);
        } catch (IOException e) {
            throw new ServerStartException(
                    "The access log " + config.file().map(Path::toString).orElse("on standard error")
                            + " cannot be written. Choose another file with --access-log-file.",
                    e);
        }
    }

    private void startAdmin(AdminConfig config, Optional<PartitionsView> partitions) {
        admin = Optional.of(HttpListeners.await(
                AdminServer.listen(eventLoops.vertx(), config, readiness, metrics.orElseThrow(), partitions, scrubs),
                "Cannot serve health and metrics on " + config.host() + ":" + config.port(),
                "Choose another address with --admin-host or --admin-port, or none with --admin-port off."));
    }

    /** Returns the ports of all services. */
    public Map<Service, Integer> ports() {
        return listeners.ports();
    }

    /** Returns the port of a service. */
    public int port(Service service) {
        return listeners.port(service);
    }

    /** Returns the admin port; empty if there is none. */
    public OptionalInt adminPort() {
        return admin.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(admin.get().actualPort());
    }

    /** Stops accepting requests, waits until those in flight have finished within the drain time, and stops. */
    @Override
    public void close() {
        readiness.stop();
        try {
            listeners
                    .shutdown(drainTime)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(2 * drainTime.toMillis(), TimeUnit.MILLISECONDS);
            eventLoops
                    .close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(drainTime.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server did not stop in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Closed after the last request, because they record requests.
            analytics.close();
            contents.ifPresent(ContentStore::close);
            accessLog.ifPresent(AccessLog::close);
            metrics.ifPresent(Metrics::close);
        }
    }
}
