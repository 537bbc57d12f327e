package dev.trestle.server;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Storage;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A real server on free ports with the development account, and a client of it. */
final class RunningServer implements AutoCloseable {
    static final String SIGNATURE = "p8wax4aIU7vXZ8f8KX7TNwC%2B48Aw4AwSmVILNF1yni8%3D";

    /** Everything is allowed until 2099, signed with the development key. */
    static final String SAS =
            "sv=2019-02-02&ss=t&srt=sco&sp=rwdlacu&se=2099-01-01T00:00:00Z&spr=https,http&sig=" + SIGNATURE;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final TrestleServer server;

    RunningServer(Engine engine, HttpConfig http, Optional<AccessLogConfig> accessLog, SocketTransport transport) {
        server = TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        ServerConfig.FREE_PORTS,
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        false,
                        http,
                        Optional.of(new AdminConfig("127.0.0.1", 0)),
                        accessLog,
                        Optional.empty(),
                        BlobConfig.DEFAULT,
                        transport),
                Storage.of(engine));
    }

    RunningServer(Engine engine, HttpConfig http, Optional<AccessLogConfig> accessLog) {
        this(engine, http, accessLog, SocketTransport.AUTO);
    }

    RunningServer(Engine engine) {
        this(engine, HttpConfig.DEFAULT, Optional.empty());
    }

    int tablePort() {
        return server.port(Service.TABLE);
    }

    int adminPort() {
        return server.adminPort().orElseThrow();
    }

    HttpResponse<String> admin(String method, String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + path))
                .method(method, BodyPublishers.noBody()));
    }

    String metrics() throws IOException, InterruptedException {
        return admin("GET", "/metrics").body();
    }

    /** Waits for a line of the metrics; a later assertion fails if it does not appear in time. */
    void awaitMetric(String line) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!metrics().contains(line) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    HttpResponse<String> createTable(String name) throws IOException, InterruptedException {
        return send(json("/Tables?" + SAS, "{\"TableName\":\"" + name + "\"}"));
    }

    HttpResponse<String> insert(String table, String partitionKey, String rowKey)
            throws IOException, InterruptedException {
        return send(json("/" + table + "?" + SAS, entity(partitionKey, rowKey))
                .header("x-ms-client-request-id", "client-" + rowKey));
    }

    /** Inserts an entity with this many bytes of text, in properties that are not too long. */
    HttpResponse<String> insertLarge(String table, String partitionKey, String rowKey, int bytes)
            throws IOException, InterruptedException {
        int longest = 30_000;
        StringBuilder body = new StringBuilder(entity(partitionKey, rowKey));
        for (int rest = bytes; rest > 0; rest -= longest) {
            body.insert(body.length() - 1, ",\"Text" + rest + "\":\"" + "x".repeat(Math.min(rest, longest)) + "\"");
        }
        return send(json("/" + table + "?" + SAS, body.toString()));
    }

    HttpResponse<String> get(String table, String partitionKey, String rowKey)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(
                        table("/" + table + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')?" + SAS))
                .header("Accept", "application/json;odata=nometadata"));
    }

    HttpResponse<String> query(String table, String filter) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(table(
                        "/" + table + "()?" + SAS + "&$filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8)))
                .header("Accept", "application/json;odata=nometadata"));
    }

    /** One transaction of this many inserts. */
    HttpResponse<String> transact(String table, String partitionKey, int entities)
            throws IOException, InterruptedException {
        StringBuilder body =
                new StringBuilder("--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n");
        for (int i = 0; i < entities; i++) {
            body.append("--changeset_c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .append("POST " + table("/" + table) + " HTTP/1.1\r\n")
                    .append("Content-Type: application/json\r\nPrefer: return-no-content\r\n\r\n")
                    .append(entity(partitionKey, "t" + i))
                    .append("\r\n");
        }
        body.append("--changeset_c--\r\n--batch_b--\r\n");
        return send(HttpRequest.newBuilder(table("/$batch?" + SAS))
                .header("Content-Type", "multipart/mixed; boundary=batch_b")
                .POST(BodyPublishers.ofString(body.toString())));
    }

    private static String entity(String partitionKey, String rowKey) {
        return "{\"PartitionKey\":\"" + partitionKey + "\",\"RowKey\":\"" + rowKey + "\",\"Qty\":3}";
    }

    private HttpRequest.Builder json(String path, String body) {
        return HttpRequest.newBuilder(table(path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json;odata=nometadata")
                .POST(BodyPublishers.ofString(body));
    }

    URI table(String path) {
        return URI.create("http://127.0.0.1:" + tablePort() + "/devstoreaccount1" + path);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
    }
}
