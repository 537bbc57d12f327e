package dev.trestle.server;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.auth.Sas;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A server with all services and two accounts, for attacks. Requests are sent as raw bytes, because client
 * libraries cannot send them.
 */
final class GuardedServer implements AutoCloseable {
    static final String OTHER_ACCOUNT = "otheraccount";
    static final String OTHER_KEY = "b3RoZXJhY2NvdW50LWtleQ==";

    private static final int PATIENCE_MILLIS = 20_000;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:00:00Z"));
    private final ModelEngine engine = new ModelEngine(clock);
    private final TrestleServer server;

    /** A response as it was read. */
    record Answer(String head, String body) {
        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        @Override
        public String toString() {
            return head + body;
        }
    }

    /** Differences from the default configuration. */
    private record Setup(
            HttpConfig http,
            Optional<AccessLogConfig> accessLog,
            Optional<TlsFiles> tls,
            SocketTransport transport,
            Optional<BearerConfig> bearer,
            UnaryOperator<Engine> decorator) {
        private static final Setup DEFAULT = new Setup(
                HttpConfig.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                SocketTransport.AUTO,
                Optional.empty(),
                UnaryOperator.identity());
    }

    GuardedServer() {
        this(Setup.DEFAULT);
    }

    static GuardedServer on(SocketTransport transport) {
        return new GuardedServer(new Setup(
                HttpConfig.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                transport,
                Optional.empty(),
                UnaryOperator.identity()));
    }

    static GuardedServer withTls(TlsFiles files, HttpConfig http) {
        return new GuardedServer(new Setup(
                http,
                Optional.empty(),
                Optional.of(files),
                SocketTransport.AUTO,
                Optional.empty(),
                UnaryOperator.identity()));
    }

    static GuardedServer with(HttpConfig http) {
        return new GuardedServer(new Setup(
                http,
                Optional.empty(),
                Optional.empty(),
                SocketTransport.AUTO,
                Optional.empty(),
                UnaryOperator.identity()));
    }

    static GuardedServer withLog(AccessLogConfig accessLog) {
        return new GuardedServer(new Setup(
                HttpConfig.DEFAULT,
                Optional.of(accessLog),
                Optional.empty(),
                SocketTransport.AUTO,
                Optional.empty(),
                UnaryOperator.identity()));
    }

    static GuardedServer withBearer(BearerConfig bearer) {
        return new GuardedServer(new Setup(
                HttpConfig.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                SocketTransport.AUTO,
                Optional.of(bearer),
                UnaryOperator.identity()));
    }

    /** A server whose engine is wrapped in another. */
    static GuardedServer withEngine(UnaryOperator<Engine> decorator) {
        return new GuardedServer(new Setup(
                HttpConfig.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                SocketTransport.AUTO,
                Optional.empty(),
                decorator));
    }

    private GuardedServer(Setup setup) {
        List<Account> accounts = List.of(Accounts.DEVELOPMENT.all().get(0), Account.of(OTHER_ACCOUNT, OTHER_KEY));
        server = TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0),
                        Accounts.of(accounts),
                        setup.tls(),
                        false,
                        setup.http(),
                        Optional.of(new AdminConfig("127.0.0.1", 0)),
                        setup.accessLog(),
                        setup.bearer(),
                        new BlobConfig(true, BlobService.REHYDRATION),
                        setup.transport()),
                new Storage(setup.decorator().apply(engine), EngineTelemetry.NONE, ModelContents::new),
                clock);
    }

    /** The owner's own signature, good for everything in all services of the development account. */
    static String owner() {
        return Sas.account().with("ss", "btq").query();
    }

    int port(Service service) {
        return server.port(service);
    }

    int adminPort() {
        return server.adminPort().orElseThrow();
    }

    /** Returns the metrics of the server. */
    String metrics() throws IOException {
        return answers(adminPort(), request("GET", "/metrics", "")).get(0).body();
    }

    /** Sends a request of the owner, as preparation. */
    Answer owner(Service service, String method, String path, String body, String... headers) throws IOException {
        String target = "/devstoreaccount1" + path + (path.contains("?") ? "&" : "?") + owner();
        return ask(service, method, target, body, headers);
    }

    /** One request as it should be written, with headers that are lines. */
    Answer ask(Service service, String method, String target, String body, String... headers) throws IOException {
        return answers(port(service), request(method, target, body, headers)).get(0);
    }

    static String request(String method, String target, String body, String... headers) {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        boolean hasBody = !body.isEmpty() || method.equals("PUT") || method.equals("POST");
        if (hasBody) {
            request.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.ISO_8859_1).length)
                    .append("\r\n");
        }
        return request.append("\r\n").append(body).toString();
    }

    /** Sends these bytes and returns all responses until the server closes the connection. */
    static List<Answer> answers(int port, String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return Answers.split(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        }
    }

    @Override
    public void close() {
        server.close();
        engine.close();
    }

    /** Splits the input into responses by their lengths. */
    private static final class Answers {
        private Answers() {}

        static List<Answer> split(String text) {
            List<Answer> answers = new ArrayList<>();
            int start = 0;
            while (start < text.length()) {
                int end = text.indexOf("\r\n\r\n", start) + 4;
                String head = text.substring(start, end);
                int length = length(head);
                answers.add(new Answer(head, text.substring(end, Math.min(text.length(), end + length))));
                start = end + length;
            }
            return answers;
        }

        private static int length(String head) {
            return head.lines()
                    .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                    .map(line -> Integer.parseInt(line.substring(15).strip()))
                    .findFirst()
                    .orElse(0);
        }
    }
}
