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
 * The admin port: health, metrics and, on a cluster, the ranges of partitions, for machines and people that run the
 * server, and the scrub of blobs. It asks for no credentials, hence shows no secret and of the data only the partition keys
 * where ranges begin and the names of damaged blobs, and changes nothing that anybody could miss.
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
    private final HostAllowList names;
    private final Readiness readiness;
    private final Metrics metrics;
    private final Optional<PartitionsView> partitions;
    private final Optional<Scrubbing> scrubbing;
    private final ConnectionLimiter limiter = new ConnectionLimiter(CONNECTIONS_MAX, CONNECTIONS_MAX);
    private final Map<HttpConnection, ConnectionLimiter.Slot> connections = new ConcurrentHashMap<>();

    private AdminServer(
            Vertx vertx,
            HostAllowList names,
            Readiness readiness,
            Metrics metrics,
            Optional<PartitionsView> partitions,
            Optional<Scrubbing> scrubbing) {
        this.names = names;
        this.scrubbing = scrubbing;
        this.vertx = vertx;
        this.readiness = readiness;
        this.metrics = metrics;
        this.partitions = partitions;
    }

    /**
     * Starts to answer; the future has the server when it does.
     *
     * @param partitions empty where there are no ranges to show
     * @param scrubbing empty where there are no blobs
     */
    public static Future<HttpServer> listen(
            Vertx vertx,
            AdminConfig config,
            Readiness readiness,
            Metrics metrics,
            Optional<PartitionsView> partitions,
            Optional<Scrubbing> scrubbing) {
        AdminServer admin =
                new AdminServer(vertx, HostAllowList.of(config.host()), readiness, metrics, partitions, scrubbing);
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS_MAX)
                // With it a connection would be seen only when its first request has come.
                .setHttp2ClearTextEnabled(false);
        return vertx.createHttpServer(options)
                .connectionHandler(admin::connect)
                .requestHandler(admin::handle)
                .listen(SocketAddress.inetSocketAddress(config.port(), config.host()));
    }

    private void connect(HttpConnection connection) {
        // All clients of this port count as one; those that are idle make room for new ones.
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
        // What it has asked before is still answered.
        VertxInternals.allowHalfClose(connection, () -> connection.shutdown(IDLE_SECONDS_MAX, TimeUnit.SECONDS));
    }

    private void handle(HttpServerRequest request) {
        ConnectionLimiter.Slot slot = connections.get(request.connection());
        if (slot == null || !slot.begin()) {
            request.connection().close();
            return;
        }
        request.response().endHandler(ended -> slot.end());
        if (!names.include(request.getHeader("Host"))) {
            answer(
                    request,
                    MISDIRECTED,
                    PLAIN,
                    "This port is called by its address or as localhost, not by other names.\n");
            return;
        }
        if (request.path().equals("/scrub") && scrubbing.isPresent()) {
            new ScrubAnswer(vertx, request).begin(scrubbing.get());
            return;
        }
        boolean known = switch (request.path()) {
            case "/health/live", "/health/ready", "/metrics" -> true;
            case "/partitions" -> partitions.isPresent();
            default -> false;
        };
        if (!known) {
            answer(
                    request,
                    NOT_FOUND,
                    PLAIN,
                    "There is nothing here; this port has /health/live, /health/ready and /metrics"
                            + (partitions.isPresent() ? " and /partitions" : "")
                            + (scrubbing.isPresent() ? ", and /scrub for POST" : "") + ".\n");
        } else if (!READING.contains(request.method())) {
            request.response().putHeader("Allow", "GET, HEAD");
            answer(request, METHOD_NOT_ALLOWED, PLAIN, "Nothing can be changed here; ask with GET.\n");
        } else {
            switch (request.path()) {
                case "/health/live" -> answer(request, OK, PLAIN, "The server runs.\n");
                case "/health/ready" -> ready(request);
                case "/partitions" -> partitions(request, partitions.orElseThrow());
                default -> metrics(request);
            }
        }
    }

    private void ready(HttpServerRequest request) {
        Future.fromCompletionStage(readiness.check(), vertx.getOrCreateContext())
                .onSuccess(trouble -> answer(
                        request,
                        trouble.isEmpty() ? OK : UNAVAILABLE,
                        PLAIN,
                        trouble.orElse("The server takes reads and writes.") + "\n"));
    }

    private void partitions(HttpServerRequest request, PartitionsView view) {
        Future.fromCompletionStage(view.json(), vertx.getOrCreateContext())
                .onSuccess(text -> answer(request, OK, JSON, text))
                .onFailure(failure -> {
                    LOG.warn("The ranges of partitions could not be asked for", failure);
                    answer(
                            request,
                            UNAVAILABLE,
                            PLAIN,
                            "The cluster does not tell its ranges now; the log says why.\n");
                });
    }

    private void metrics(HttpServerRequest request) {
        // On a worker: RocksDB may let a look at its figures wait for a moment.
        vertx.executeBlocking(metrics::text)
                .onSuccess(text -> answer(request, OK, PROMETHEUS, text))
                .onFailure(failure -> {
                    LOG.error("The metrics could not be gathered", failure);
                    answer(request, INTERNAL_ERROR, PLAIN, "The metrics could not be gathered; the log says why.\n");
                });
    }

    private static void answer(HttpServerRequest request, int status, String contentType, String text) {
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
