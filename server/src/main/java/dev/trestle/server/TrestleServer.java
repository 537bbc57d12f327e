package dev.trestle.server;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Engine;
import dev.trestle.server.auth.Account;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpFrontEnd;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.RequestObserver;
import dev.trestle.server.http.TableEndpoint;
import dev.trestle.table.TableService;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running server: sockets, services and the wiring between them. It uses an engine but does not own it. */
public final class TrestleServer implements AutoCloseable {
    private static final Duration START_TIME_MAX = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    private TrestleServer(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Starts serving; when this returns, requests are answered.
     *
     * @throws ServerStartException when the address or the certificate cannot be used
     */
    public static TrestleServer start(ServerConfig config, Engine engine) {
        return start(config, engine, InstantSource.system());
    }

    static TrestleServer start(ServerConfig config, Engine engine, InstantSource clock) {
        Catalogue catalogue = new Catalogue(Service.TABLE, engine, clock, new SecureRandom());
        for (Account account : config.accounts().all()) {
            catalogue.resumeReclaiming(account.name());
        }
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        TableEndpoint endpoint = new TableEndpoint(
                vertx,
                new TableService(engine, catalogue),
                config.accounts(),
                clock,
                config.explainRefusals(),
                HttpConfig.DEFAULT,
                RequestObserver.NONE);
        TrestleServer server = new TrestleServer(vertx);
        try {
            vertx.deployVerticle(
                            () -> server.new Listener(address(config), options(config), endpoint),
                            new DeploymentOptions().setInstances(loops))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            server.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServerStartException(
                    "Cannot serve on " + config.host() + ":" + config.tablePort() + ": " + cause.getMessage()
                            + ". Choose another address with --host or --table-port.",
                    cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            server.close();
            throw new ServerStartException("Interrupted while starting.", e);
        }
        return server;
    }

    private static SocketAddress address(ServerConfig config) {
        // With plain port 0 each event loop would get a port of its own; they have to share one.
        return config.tablePort() == 0
                ? SocketAddress.sharedRandomPort(1, config.host())
                : SocketAddress.inetSocketAddress(config.tablePort(), config.host());
    }

    private static HttpServerOptions options(ServerConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(HttpLimits.REQUEST_LINE_BYTES_MAX)
                .setMaxHeaderSize(HttpLimits.HEADERS_BYTES_MAX)
                .setHandle100ContinueAutomatically(true)
                // With it a connection that sends nothing would never be seen, hence neither counted nor closed.
                .setHttp2ClearTextEnabled(false)
                // Handlers that would see every message and never do anything: there are no web sockets here, and
                // HttpFrontEnd watches for idle connections itself.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
        config.tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setUseAlpn(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.certificate().toString())
                                .setKeyPath(tls.key().toString())));
        return options;
    }

    /** One event loop's share of the sockets. */
    private final class Listener extends AbstractVerticle {
        private final SocketAddress address;
        private final HttpServerOptions options;
        private final TableEndpoint endpoint;

        Listener(SocketAddress address, HttpServerOptions options, TableEndpoint endpoint) {
            this.address = address;
            this.options = options;
            this.endpoint = endpoint;
        }

        @Override
        public void start(Promise<Void> started) {
            HttpFrontEnd frontEnd = endpoint.newFrontEnd();
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(frontEnd::connect)
                    .requestHandler(frontEnd::handle)
                    .invalidRequestHandler(frontEnd::refuseMalformed);
            server.listen(address).onSuccess(servers::add).<Void>mapEmpty().onComplete(started);
        }
    }

    /** The port that is served, also when any free one was asked for. */
    public int tablePort() {
        return servers.get(0).actualPort();
    }

    /** Takes no more requests, lets those under way finish within {@link HttpLimits#DRAIN_TIME_MAX}, and stops. */
    @Override
    public void close() {
        try {
            for (HttpServer server : servers) {
                server.shutdown(HttpLimits.DRAIN_TIME_MAX.toSeconds(), TimeUnit.SECONDS)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(2 * HttpLimits.DRAIN_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
            }
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(HttpLimits.DRAIN_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server did not stop in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
