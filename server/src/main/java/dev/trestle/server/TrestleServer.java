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
import dev.trestle.server.admin.Scrubbing;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.analytics.Analytics;
import dev.trestle.server.analytics.AnalyticsConfig;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.auth.jwt.TokenVerifier;
import dev.trestle.server.http.HttpFrontEnd;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.ServiceEndpoint;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.table.TableService;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server: sockets, services and the wiring between them. It uses an engine but does not own it. */
public final class TrestleServer implements AutoCloseable {
    /** How long tables, policies and properties are taken to be as another server may have changed them. */
    private static final Duration SHARED_TRUST = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(TrestleServer.class);
    private static final Set<String> TLS_VERSIONS = Set.of("TLSv1.2", "TLSv1.3");
    private static final Duration START_TIME_MAX = Duration.ofSeconds(30);
    private static final int EVENT_LOOPS = Runtime.getRuntime().availableProcessors();
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final Vertx vertx;
    private final Vertx vertxForFiles;
    private final Readiness readiness;
    private final Duration drainTime;
    private final Map<Service, List<HttpServer>> servers = new EnumMap<>(Service.class);
    private final Optional<Metrics> metrics;
    private final Optional<AccessLog> accessLog;
    private Optional<HttpServer> admin = Optional.empty();
    private final Analytics analytics;
    private Optional<ContentStore> contents = Optional.empty();
    private Optional<Scrubbing> scrubbing = Optional.empty();

    private TrestleServer(
            Vertx vertx,
            Vertx vertxForFiles,
            Readiness readiness,
            Duration drainTime,
            Optional<Metrics> metrics,
            Optional<AccessLog> accessLog,
            Analytics analytics) {
        this.vertx = vertx;
        this.vertxForFiles = vertxForFiles;
        this.readiness = readiness;
        this.drainTime = drainTime;
        this.metrics = metrics;
        this.accessLog = accessLog;
        this.analytics = analytics;
    }

    /**
     * Begins to load what serving needs, for whoever has an engine to open first. That takes as long, and so both are done
     * in the time of one. Without it a server starts all the same.
     */
    public static void warmUp(SocketTransport transport) {
        if (WARM.compareAndSet(false, true)) {
            Thread loading = new Thread(
                    () -> {
                        load(transport.choose());
                        load(transport.chooseForFiles());
                    },
                    "warm-up");
            loading.setDaemon(true);
            loading.start();
        }
    }

    private static void load(Transport transport) {
        if (transport.available()) {
            vertx(transport).close();
        }
    }

    /**
     * Starts serving; when this returns, requests are answered.
     *
     * @throws ServerStartException when the address, the certificate or the transport cannot be used
     */
    public static TrestleServer start(ServerConfig config, Storage storage) {
        return start(config, storage, InstantSource.system());
    }

    static TrestleServer start(ServerConfig config, Storage storage, InstantSource clock) {
        EngineTelemetry telemetry = storage.telemetry();
        Optional<TokenVerifier> tokens = config.bearer().map(bearer -> loadKeys(bearer, clock));
        Optional<AccessLog> accessLog = config.accessLog().map(log -> openLog(log, clock));
        Transport transport = available(config.transport().choose(), config.transport());
        Transport transportForFiles = available(config.transport().chooseForFiles(), config.transport());
        Vertx vertx = vertx(transport);
        Vertx vertxForFiles = transportForFiles == transport ? vertx : vertx(transportForFiles);
        Engine engine = new EventLoopEngine(storage.engine(), vertx, EVENT_LOOPS);
        Set<Service> services = config.ports().keySet();
        Optional<Metrics> metrics = config.admin().map(admin -> new Metrics(operations(services), admin.memoryBytes()));
        Analytics analytics = new Analytics(AnalyticsConfig.DEFAULT, config.accounts(), clock);
        ServerContext context = new ServerContext(
                vertx,
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
                vertx,
                vertxForFiles,
                new Readiness(any::probe, telemetry::damage, System::nanoTime),
                config.http().times().drain(),
                metrics,
                accessLog,
                analytics);
        boolean started = false;
        try {
            for (Map.Entry<Service, Catalogue> each : catalogues.entrySet()) {
                Service service = each.getKey();
                server.serve(
                        service, config, server.endpoint(service, each.getValue(), engine, storage, config, context));
            }
            if (server.scrubbing.isEmpty() && engine.rowVerification().isPresent()) {
                server.scrubbing = Optional.of(new Scrubbing(engine.rowVerification(), Optional.empty()));
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

    /** All that want to know of requests. */
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

    private static Transport available(Transport transport, SocketTransport wanted) {
        if (!transport.available()) {
            throw new ServerStartException(
                    "This system has no " + wanted
                            + " for the server to use. Leave the choice to it with --transport auto.",
                    transport.unavailabilityCause());
        }
        return transport;
    }

    private static Vertx vertx(Transport transport) {
        // Without the folder for files out of jars, of which there are none, and which a killed server would leave
        // behind.
        FileSystemOptions files =
                new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
        VertxOptions options =
                new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS).setFileSystemOptions(files);
        return Vertx.builder().with(options).withTransport(transport).build();
    }

    private static Catalogue catalogue(Service service, Engine engine, InstantSource clock) {
        return engine.isShared()
                ? new Catalogue(service, engine, clock, new SecureRandom(), SHARED_TRUST)
                : new Catalogue(service, engine, clock, new SecureRandom());
    }

    private ServiceEndpoint endpoint(
            Service service,
            Catalogue catalogue,
            Engine engine,
            Storage storage,
            ServerConfig config,
            ServerContext context) {
        ServiceEndpoints endpoints = new ServiceEndpoints(context, vertx(service));
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
                scrubbing = Optional.of(new Scrubbing(engine.rowVerification(), Optional.of(blobs.scrub())));
                yield endpoints.blob(blobs, containers, config.blobs().publicAccess());
            }
        };
    }

    private Vertx vertx(Service service) {
        return service == Service.BLOB ? vertxForFiles : vertx;
    }

    private static void resumeReclaiming(Catalogue catalogue, ServerContext context) {
        for (Account account : context.accounts().all()) {
            catalogue.resumeReclaiming(account.name());
        }
    }

    private void serve(Service service, ServerConfig config, ServiceEndpoint endpoint) {
        int port = Objects.requireNonNull(config.ports().get(service));
        List<HttpServer> listeners = new CopyOnWriteArrayList<>();
        servers.put(service, listeners);
        await(
                vertx(service)
                        .deployVerticle(
                                () -> new Listener(address(config.host(), port), options(config), endpoint, listeners),
                                new DeploymentOptions().setInstances(EVENT_LOOPS)),
                "Cannot serve on " + config.host() + ":" + port,
                "Choose another address with --host or --" + service.word() + "-port.");
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
        admin = Optional.of(await(
                AdminServer.listen(vertx, config, readiness, metrics.orElseThrow(), partitions, scrubbing),
                "Cannot serve health and metrics on " + config.host() + ":" + config.port(),
                "Choose another address with --admin-host or --admin-port, or none with --admin-port off."));
    }

    private <T> T await(Future<T> started, String problem, String advice) {
        try {
            return started.toCompletionStage()
                    .toCompletableFuture()
                    .get(START_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServerStartException(problem + ": " + cause.getMessage() + ". " + advice, cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerStartException("Interrupted while starting.", e);
        }
    }

    private SocketAddress address(String host, int port) {
        // With plain port 0 each event loop would get a port of its own; they have to share one, and services none.
        return port == 0
                ? SocketAddress.sharedRandomPort(servers.size(), host)
                : SocketAddress.inetSocketAddress(port, host);
    }

    private static HttpServerOptions options(ServerConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(config.http().requestLineBytesMax())
                .setMaxHeaderSize(config.http().headersBytesMax())
                .setHandle100ContinueAutomatically(true)
                // With it a connection that sends nothing would never be seen, hence neither counted nor closed.
                .setHttp2ClearTextEnabled(false)
                // The other one of Vert.x 5.2 forgets answers when many are written at once and none has to wait for
                // its client.
                .setHttp2MultiplexImplementation(true)
                // Handlers that would see every message and never do anything: there are no web sockets here, and
                // HttpFrontEnd watches for idle connections itself.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // As Vert.x has them, but said here, because what is promised must not change with a version of it.
                .setDecompressionSupported(false)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(HttpLimits.HTTP2_STREAMS_MAX)
                        .setMaxHeaderListSize(HttpLimits.HTTP2_HEADERS_BYTES_MAX)
                        .setInitialWindowSize(HttpServerOptions.DEFAULT_INITIAL_SETTINGS_INITIAL_WINDOW_SIZE))
                .setHttp2RstFloodMaxRstFramePerWindow(HttpLimits.HTTP2_RESETS_MAX)
                .setHttp2MaxSmallContinuationFrames(HttpLimits.HTTP2_SMALL_CONTINUATIONS_MAX);
        config.tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setUseAlpn(true)
                        .setEnabledSecureTransportProtocols(TLS_VERSIONS)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.certificate().toString())
                                .setKeyPath(tls.key().toString())));
        return options;
    }

    /** One event loop's share of the sockets. */
    private static final class Listener extends AbstractVerticle {
        private final SocketAddress address;
        private final HttpServerOptions options;
        private final ServiceEndpoint endpoint;
        private final List<HttpServer> started;

        Listener(SocketAddress address, HttpServerOptions options, ServiceEndpoint endpoint, List<HttpServer> started) {
            this.address = address;
            this.options = options;
            this.endpoint = endpoint;
            this.started = started;
        }

        @Override
        public void start(Promise<Void> done) {
            HttpFrontEnd frontEnd = endpoint.newFrontEnd();
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(frontEnd::connect)
                    .requestHandler(frontEnd::handle)
                    .invalidRequestHandler(frontEnd::refuseMalformed);
            server.listen(address).onSuccess(started::add).<Void>mapEmpty().onComplete(done);
        }
    }

    /** The ports of all services that are served. */
    public Map<Service, Integer> ports() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        servers.keySet().forEach(service -> ports.put(service, port(service)));
        return ports;
    }

    /** The port of a service that is served, also when any free one was asked for. */
    public int port(Service service) {
        return Objects.requireNonNull(servers.get(service)).get(0).actualPort();
    }

    /** The port of health and metrics, if they are served. */
    public OptionalInt adminPort() {
        return admin.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(admin.get().actualPort());
    }

    /** Takes no more requests, lets those under way finish within their time, and stops. */
    @Override
    public void close() {
        readiness.stop();
        try {
            // All at once: while one waits for its last requests, another would take new ones.
            Future.join(servers.values().stream()
                            .flatMap(List::stream)
                            .map(server -> server.shutdown(drainTime.toSeconds(), TimeUnit.SECONDS))
                            .toList())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(2 * drainTime.toMillis(), TimeUnit.MILLISECONDS);
            Future.join(vertxForFiles.close(), vertx.close())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(drainTime.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server did not stop in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // The last requests are finished, and what they are written down in is still open.
            analytics.close();
            contents.ifPresent(ContentStore::close);
            accessLog.ifPresent(AccessLog::close);
            metrics.ifPresent(Metrics::close);
        }
    }
}
