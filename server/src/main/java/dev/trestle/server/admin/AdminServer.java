package dev.trestle.server.admin;

import dev.trestle.server.admission.ConnectionLimiter;
import dev.trestle.server.admission.RemoteNetwork;
import dev.trestle.server.sockets.VertxInternals;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the admin port: health, metrics, scrubs and, on a cluster, partition ranges. It requires no
 * credentials. Hence it shows no secrets and no user data except the partition keys at which ranges begin and the
 * names of damaged blobs, and it changes no user data.
 */
public final class AdminServer {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int MISDIRECTED = 421;
    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final int CONNECTIONS_MAX = 64;
    private static final int IDLE_SECONDS_MAX = 120;

    private final Vertx vertx;
    private final HostAllowList hosts;
    private final Readiness readiness;
    private final Metrics metrics;
    private final Optional<PartitionsView> partitions;
    private final Optional<ScrubRunner> scrubs;
    private final ConnectionLimiter limiter = new ConnectionLimiter(CONNECTIONS_MAX, CONNECTIONS_MAX);
    private final Map<HttpConnection, ConnectionLimiter.Slot> connections = new ConcurrentHashMap<>();

    private AdminServer(
            Vertx vertx,
            HostAllowList hosts,
            Readiness readiness,
            Metrics metrics,
            Optional<PartitionsView> partitions,
            Optional<ScrubRunner> scrubs) {
        this.hosts = hosts;
        this.scrubs = scrubs;
        this.vertx = vertx;
        this.readiness = readiness;
        this.metrics = metrics;
        this.partitions = partitions;
    }

    /**
     * Starts to listen.
     *
     * @param partitions empty if the engine has no ranges
     * @param scrubs empty if there is nothing to scrub
     */
    public static Future<HttpServer> listen(
            Vertx vertx,
            AdminConfig config,
            Readiness readiness,
            Metrics metrics,
            Optional<PartitionsView> partitions,
            Optional<ScrubRunner> scrubs) {
        AdminServer admin =
                new AdminServer(vertx, HostAllowList.of(config.host()), readiness, metrics, partitions, scrubs);
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS_MAX)
                // With it, the connection handler would be called only at the first request.
                .setHttp2ClearTextEnabled(false);
        return vertx.createHttpServer(options)
                .connectionHandler(admin::connect)
                .requestHandler(admin::handle)
                .listen(SocketAddress.inetSocketAddress(config.port(), config.host()));
    }

    private void connect(HttpConnection connection) {
        // All clients of this port count as one network; an idle connection is evicted for a new one.
        Optional<ConnectionLimiter.Slot> slot = limiter.enter(RemoteNetwork.of(""), connection::close);
        if (slot.isEmpty()) {
            connection.close();
            return;
        }
        connections.put(connection, slot.get());
        connection.closeHandler(closed -> {
            connections.remove(connection);
            slot.get().leave();
        });
        // Requests received before are still processed.
        VertxInternals.allowHalfClose(connection, () -> connection.shutdown(IDLE_SECONDS_MAX, TimeUnit.SECONDS));
    }

    private void handle(HttpServerRequest request) {
        ConnectionLimiter.Slot slot = connections.get(request.connection());
        if (slot == null || !slot.begin()) {
            request.connection().close();
            return;
        }
        request.response().endHandler(ended -> slot.end());
        if (!hosts.include(request.getHeader("Host"))) {
            respond(
                    request,
                    MISDIRECTED,
                    PLAIN,
                    "This port accepts only IP addresses, localhost and the name in --admin-host as Host.\n");
            return;
        }
        if (request.path().equals("/scrub") && scrubs.isPresent()) {
            new ScrubResponse(vertx, request).begin(scrubs.get());
            return;
        }
        boolean known = switch (request.path()) {
            case "/health/live", "/health/ready", "/metrics" -> true;
            case "/partitions" -> partitions.isPresent();
            default -> false;
        };
        if (!known) {
            respond(
                    request,
                    NOT_FOUND,
                    PLAIN,
                    "There is nothing here; this port has /health/live, /health/ready and /metrics"
                            + (partitions.isPresent() ? " and /partitions" : "")
                            + (scrubs.isPresent() ? ", and /scrub for POST" : "") + ".\n");
        } else if (!READING.contains(request.method())) {
            request.response().putHeader("Allow", "GET, HEAD");
            respond(request, METHOD_NOT_ALLOWED, PLAIN, "This path is read-only; use GET.\n");
        } else {
            switch (request.path()) {
                case "/health/live" -> respond(request, OK, PLAIN, "The server is running.\n");
                case "/health/ready" -> ready(request);
                case "/partitions" -> partitions(request, partitions.orElseThrow());
                default -> metrics(request);
            }
        }
    }

    private void ready(HttpServerRequest request) {
        Future.fromCompletionStage(readiness.check(), vertx.getOrCreateContext())
                .onSuccess(problem -> respond(
                        request,
                        problem.isEmpty() ? OK : UNAVAILABLE,
                        PLAIN,
                        problem.orElse("The server takes reads and writes.") + "\n"));
    }

    private void partitions(HttpServerRequest request, PartitionsView view) {
        Future.fromCompletionStage(view.json(), vertx.getOrCreateContext())
                .onSuccess(text -> respond(request, OK, JSON, text))
                .onFailure(failure -> {
                    LOG.warn("Could not read the partition ranges", failure);
                    respond(
                            request,
                            UNAVAILABLE,
                            PLAIN,
                            "Could not read the partition ranges of the cluster; see the log.\n");
                });
    }

    private void metrics(HttpServerRequest request) {
        // On a worker thread, because RocksDB may block while it reads its statistics.
        vertx.executeBlocking(metrics::text)
                .onSuccess(text -> respond(request, OK, PROMETHEUS, text))
                .onFailure(failure -> {
                    LOG.error("Could not collect the metrics", failure);
                    respond(request, INTERNAL_ERROR, PLAIN, "Could not collect the metrics; see the log.\n");
                });
    }

    private static void respond(HttpServerRequest request, int status, String contentType, String text) {
        if (request.response().closed() || request.response().ended()) {
            return;
        }
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", contentType)
                .putHeader("Cache-Control", "no-store")
                .end(text);
    }
}
