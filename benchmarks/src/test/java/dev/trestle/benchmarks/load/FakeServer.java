package dev.trestle.benchmarks.load;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server whose responses a test determines. */
public final class FakeServer implements AutoCloseable {
    /** An entity of the required length. */
    public static final String ENTITY = "{\"RowKey\":\"" + "x".repeat(500) + "\"}";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();

    /** Returns the response to a request. */
    public interface Responder {
        Response to(int request, String method, String path) throws InterruptedException;
    }

    /** A response; one with status 204 has no body. */
    public record Response(int status, String body) {}

    public FakeServer(Responder responder) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            try {
                Response response = responder.to(
                        requests.getAndIncrement(),
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath());
                byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    public Address address() {
        return new Address("127.0.0.1", server.getAddress().getPort(), false);
    }

    /** Returns this server as a bare loop with a few entities. */
    Subject subject() {
        return new Subject(
                Target.bare("fake", address()),
                Optional.empty(),
                Optional.empty(),
                DataSet.of(1000),
                new InsertKeys("test"),
                Optional.empty());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
