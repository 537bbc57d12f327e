package dev.trestle.server;

import dev.trestle.catalogue.Service;
import dev.trestle.server.http.HttpFrontEnd;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.ServiceEndpoint;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The listening sockets of the services: a port per service, on which every event loop accepts connections. */
final class HttpListeners {
    private static final Set<String> TLS_VERSIONS = Set.of("TLSv1.2", "TLSv1.3");
    private static final Duration START_TIME_MAX = Duration.ofSeconds(30);

    private final ServerConfig config;
    private final Map<Service, List<HttpServer>> servers = new EnumMap<>(Service.class);

    HttpListeners(ServerConfig config) {
        this.config = config;
    }

    /**
     * Listens on the port of a service.
     *
     * @throws ServerStartException if the address or the certificate cannot be used
     */
    void listen(Service service, Vertx vertx, ServiceEndpoint endpoint) {
        int port = Objects.requireNonNull(config.ports().get(service));
        SocketAddress address = address(port);
        List<HttpServer> listeners = new CopyOnWriteArrayList<>();
        servers.put(service, listeners);
        await(
                vertx.deployVerticle(
                        () -> new Listener(address, options(), endpoint, listeners),
                        new DeploymentOptions().setInstances(EventLoops.COUNT)),
                "Cannot serve on " + config.host() + ":" + port,
                "Choose another address with --host or --" + service.word() + "-port.");
    }

    private SocketAddress address(int port) {
        // With plain port 0, each event loop would get a port of its own. A shared random port is common to the event
        // loops of a service.
        return port == 0
                ? SocketAddress.sharedRandomPort(servers.size() + 1, config.host())
                : SocketAddress.inetSocketAddress(port, config.host());
    }

    /**
     * Waits for a step of the start.
     *
     * @throws ServerStartException with the problem and the advice, if the step fails
     */
    static <T> T await(Future<T> started, String problem, String advice) {
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

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(config.http().requestLineBytesMax())
                .setMaxHeaderSize(config.http().headersBytesMax())
                .setHandle100ContinueAutomatically(true)
                // With it, a connection that sends nothing would be neither counted nor closed.
                .setHttp2ClearTextEnabled(false)
                // The default implementation of Vert.x 5.2 loses responses when many are written at once.
                .setHttp2MultiplexImplementation(true)
                // There are no web sockets, and their handlers would cost time for every message.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // The defaults of Vert.x, set here so that they do not depend on its version.
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

    /** Accepts the connections of one event loop. */
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

    /** Returns the ports of all services. */
    Map<Service, Integer> ports() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        servers.keySet().forEach(service -> ports.put(service, port(service)));
        return ports;
    }

    /** Returns the port of a service. */
    int port(Service service) {
        return Objects.requireNonNull(servers.get(service)).get(0).actualPort();
    }

    /** Stops listening; the future completes when all requests in flight have finished, or after this time. */
    Future<?> shutdown(Duration drainTime) {
        // All at once, because a service that still listens would accept new requests.
        return Future.join(servers.values().stream()
                .flatMap(List::stream)
                .map(server -> server.shutdown(drainTime.toSeconds(), TimeUnit.SECONDS))
                .toList());
    }
}
