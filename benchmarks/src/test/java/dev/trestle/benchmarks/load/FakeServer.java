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

/** A server that answers as a test wants it to. */
public final class FakeServer implements AutoCloseable {
    /** As long as an entity has to be. */
    public static final String ENTITY = "{\"RowKey\":\"" + "x".repeat(500) + "\"}";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();

    /** How a request is answered. */
    public interface Answers {
        Answer to(int request, String method, String path) throws InterruptedException;
    }

    /** An answer; one of status 204 has no body. */
    public record Answer(int status, String body) {}

    public FakeServer(Answers answers) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            try {
                Answer answer = answers.to(
                        requests.getAndIncrement(),
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath());
                byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
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

    /** As if it were the bare loop with a few entities. */
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
