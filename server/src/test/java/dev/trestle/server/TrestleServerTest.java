package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Storage;
import dev.trestle.server.auth.Accounts;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server on its sockets, with an engine with injected faults. */
class TrestleServerTest {
    private static final String SAS = "sv=2019-02-02&ss=t&srt=sco&sp=rwdlacu&se=2099-01-01T00:00:00Z&spr=https,http"
            + "&sig=p8wax4aIU7vXZ8f8KX7TNwC%2B48Aw4AwSmVILNF1yni8%3D";
    private static final String ENTITY = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}";

    private final FaultyEngine engine = new FaultyEngine(new ModelEngine(InstantSource.system()));
    private final HttpClient client = HttpClient.newHttpClient();
    private TrestleServer server;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        startServer();
        assertThat(post("Tables", "{\"TableName\":\"orders\"}").statusCode()).isEqualTo(201);
    }

    private void startServer() {
        server = TrestleServer.start(
                new ServerConfig("127.0.0.1", Accounts.DEVELOPMENT, Optional.empty(), false), Storage.of(engine));
    }

    @AfterEach
    void stop() {
        server.close();
        engine.close();
    }

    private HttpRequest.Builder request(String path) {
        String separator = path.contains("?") ? "&" : "?";
        return HttpRequest.newBuilder(URI.create(
                "http://127.0.0.1:" + server.port(Service.TABLE) + "/devstoreaccount1/" + path + separator + SAS));
    }

    private HttpResponse<String> post(String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void a_request_that_takes_longer_than_its_client_will_wait_times_out() throws Exception {
        Runnable release = engine.delayNext(FaultyEngine.Call.COMMIT);
        HttpResponse<String> response = post("orders?timeout=1", ENTITY);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("\"OperationTimedOut\"");
        release.run();
        assertThat(post("orders", ENTITY).statusCode())
                .as("the write that was late")
                .isEqualTo(409);
    }

    @Test
    void an_overloaded_engine_is_answered_with_503_and_when_to_come_back() throws Exception {
        engine.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.OVERLOADED);
        HttpResponse<String> response = post("orders", ENTITY);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"ServerBusy\"");
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
        assertThat(post("orders", ENTITY).statusCode()).isEqualTo(201);
    }

    @Test
    void what_was_done_is_not_answered_with_a_failure_to_look_up_cross_origin_rules() throws Exception {
        server.close();
        startServer();
        engine.failNext(FaultyEngine.Call.READ, EngineException.Kind.OVERLOADED);
        assertThat(post("Tables", "{\"TableName\":\"items\"}").statusCode()).isEqualTo(503);
        assertThat(post("Tables", "{\"TableName\":\"items\"}").statusCode()).isEqualTo(201);
    }

    @Test
    void a_fault_of_ours_is_a_500_with_its_request_id_and_without_its_reason() throws Exception {
        engine.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.CORRUPT);
        HttpResponse<String> response = post("orders", ENTITY);
        assertThat(response.statusCode()).isEqualTo(500);
        String id = response.headers().firstValue("x-ms-request-id").orElseThrow();
        assertThat(response.body())
                .contains("\"InternalError\"", "RequestId:" + id)
                .doesNotContain("EngineException", "Asked to fail", "dev.trestle", "at ");
    }

    @Test
    void a_body_is_compared_with_the_digest_its_sender_gives() throws Exception {
        byte[] digest = MessageDigest.getInstance("MD5").digest(ENTITY.getBytes(StandardCharsets.UTF_8));
        String md5 = Base64.getEncoder().encodeToString(digest);
        digest[0]++;
        String other = Base64.getEncoder().encodeToString(digest);
        assertThat(post("orders", ENTITY, "Content-MD5", other).body()).contains("\"Md5Mismatch\"");
        assertThat(post("orders", ENTITY, "Content-MD5", "c2hvcnQ=").body()).contains("\"InvalidMd5\"");
        assertThat(post("orders", ENTITY, "Content-MD5", "no base64!").body()).contains("\"InvalidMd5\"");
        assertThat(post("orders", ENTITY, "Content-MD5", md5).statusCode()).isEqualTo(201);
    }

    @Test
    void a_selection_names_255_properties_at_most() throws Exception {
        String names = IntStream.range(0, 255).mapToObj(i -> "P" + i).collect(Collectors.joining(","));
        HttpRequest most = request("orders()?$select=" + names).build();
        HttpRequest tooMany = request("orders()?$select=" + names + ",P255").build();
        assertThat(client.send(most, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = client.send(tooMany, BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"InvalidInput\"");
    }

    @Test
    void a_client_that_closes_its_side_first_still_reads_the_answer() throws Exception {
        Runnable release = engine.delayNext(FaultyEngine.Call.COMMIT);
        String request = "POST /devstoreaccount1/orders?" + SAS + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + ENTITY.length() + "\r\n\r\n" + ENTITY;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(Service.TABLE))) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            // Two more round trips on other connections, so that the server has seen the end of the input by now.
            assertThat(client.send(request("Tables").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send(request("orders()").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            release.run();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 201 Created").contains("\"PartitionKey\":\"p\"");
        }
    }
}
