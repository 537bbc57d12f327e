package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.server.analytics.LogFields;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Storage Analytics: enabled by a request, read by others. A clean stop writes pending records. */
class AnalyticsServerTest {
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final String ALL_ON = "<StorageServiceProperties>"
            + "<Logging><Version>1.0</Version><Delete>true</Delete><Read>true</Read><Write>true</Write>"
            + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging>"
            + "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
            + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>"
            + "</StorageServiceProperties>";

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:15:30Z"));
    private final ModelEngine engine = new ModelEngine(clock);
    private ModelContents contents = new ModelContents();
    private final HttpClient client = HttpClient.newHttpClient();
    private TrestleServer server = start();

    private TrestleServer start() {
        return TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0),
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        false,
                        HttpConfig.DEFAULT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO),
                new Storage(engine, EngineTelemetry.NONE, () -> contents),
                clock);
    }

    private void restart() {
        server.close();
        contents = contents.reopen();
        server = start();
    }

    @BeforeEach
    void switchOn() throws Exception {
        for (Service service : Service.values()) {
            assertThat(send(service, "PUT", "/?restype=service&comp=properties", ALL_ON)
                            .statusCode())
                    .isEqualTo(202);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String sas() throws Exception {
        Map<String, String> fields =
                Map.of("sp", "rwdlacup", "ss", "btq", "srt", "sco", "se", "2099-01-01T00:00:00Z", "sv", "2019-02-02");
        String text = "devstoreaccount1\n" + fields.get("sp") + "\nbtq\nsco\n\n" + fields.get("se") + "\n\n\n"
                + fields.get("sv") + "\n";
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
        String signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        StringBuilder query = new StringBuilder();
        fields.forEach(
                (name, value) -> query.append(name).append('=').append(value).append('&'));
        return query + "sig=" + URLEncoder.encode(signature, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> send(Service service, String method, String path, String body) throws Exception {
        return send(service, method, path, body, "Accept", "application/json;odata=nometadata");
    }

    private HttpResponse<String> send(Service service, String method, String path, String body, String... headers)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port(service) + "/devstoreaccount1" + path
                + (path.contains("?") ? "&" : "?") + sas());
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.ofString(body))
                        .header("x-ms-version", "2019-02-02")
                        .headers(headers)
                        .build(),
                BodyHandlers.ofString());
    }

    private void createTable(String name) throws Exception {
        send(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"" + name + "\"}", "Content-Type", "application/json");
    }

    private List<List<String>> lines(String name) throws Exception {
        return send(Service.BLOB, "GET", "/$logs/" + name, "")
                .body()
                .lines()
                .map(LogFields::of)
                .toList();
    }

    private Stream<String> logs(String prefix) throws Exception {
        String listed = send(Service.BLOB, "GET", "/$logs?restype=container&comp=list&prefix=" + prefix, "")
                .body();
        return Stream.of(listed.split("<Name>", -1)).skip(1).map(text -> text.substring(0, text.indexOf('<')));
    }

    @Test
    void requests_of_every_service_are_found_in_logs_by_their_hour() throws Exception {
        createTable("orders");
        send(Service.TABLE, "GET", "/missing()", "");
        send(Service.QUEUE, "PUT", "/jobs", "");
        send(Service.BLOB, "PUT", "/files?restype=container", "");
        restart();
        assertThat(logs("table/2026/03/02/1000")).containsExactly("table/2026/03/02/1000/000000.log");
        List<List<String>> table = lines("table/2026/03/02/1000/000000.log");
        assertThat(table)
                .extracting(fields -> fields.get(2) + " " + fields.get(3) + " " + fields.get(4))
                .containsExactly(
                        "SetTableServiceProperties SASSuccess 202",
                        "CreateTable SASSuccess 201",
                        "QueryEntities TableNotFound 404");
        List<String> query = table.get(2);
        assertThat(query).hasSize(30);
        assertThat(query.get(7)).isEqualTo("SAS");
        assertThat(query.get(9)).isEqualTo("devstoreaccount1");
        assertThat(query.get(11)).contains("/devstoreaccount1/missing()?").contains("sig=XXXXX");
        assertThat(query.get(12)).isEqualTo("/devstoreaccount1/missing()");
        assertThat(query.get(15)).startsWith("127.0.0.1:");
        assertThat(query.get(16)).isEqualTo("2019-02-02");
        assertThat(query.get(27)).contains("Java-http-client");
        assertThat(lines("queue/2026/03/02/1000/000000.log"))
                .extracting(fields -> fields.get(2))
                .contains("CreateQueue");
        assertThat(lines("blob/2026/03/02/1000/000000.log"))
                .extracting(fields -> fields.get(2))
                .contains("CreateContainer");
    }

    @Test
    void a_log_says_what_it_holds() throws Exception {
        createTable("orders");
        restart();
        HttpResponse<String> head = send(Service.BLOB, "HEAD", "/$logs/table/2026/03/02/1000/000000.log", "");
        assertThat(head.headers().firstValue("x-ms-meta-LogType")).hasValue("write");
        assertThat(head.headers().firstValue("x-ms-meta-LogVersion")).hasValue("1.0");
        assertThat(head.headers().firstValue("x-ms-meta-StartTime")).isPresent();
        assertThat(head.headers().firstValue("x-ms-meta-EndTime")).isPresent();
    }

    @Test
    void a_restart_goes_on_with_the_next_number() throws Exception {
        restart();
        createTable("orders");
        restart();
        assertThat(logs("table/2026/03/02/1000/"))
                .containsExactly("table/2026/03/02/1000/000000.log", "table/2026/03/02/1000/000001.log");
    }

    @Test
    void the_container_of_logs_can_be_read_and_emptied_and_nothing_else() throws Exception {
        restart();
        assertThat(send(Service.BLOB, "DELETE", "/$logs?restype=container", "").statusCode())
                .isEqualTo(403);
        assertThat(send(Service.BLOB, "PUT", "/$logs?restype=container", "").statusCode())
                .isEqualTo(403);
        assertThat(send(Service.BLOB, "PUT", "/$logs/mine.log", "x", "x-ms-blob-type", "BlockBlob")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(Service.BLOB, "GET", "/?comp=list", "").body()).doesNotContain("$logs");
        assertThat(send(Service.BLOB, "GET", "/?comp=list&include=system", "").body())
                .contains("$logs");
        assertThat(send(Service.BLOB, "DELETE", "/$logs/table/2026/03/02/1000/000000.log", "")
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void metrics_are_read_like_any_table_and_never_written() throws Exception {
        createTable("orders");
        restart();
        HttpResponse<String> rows = send(Service.TABLE, "GET", "/$MetricsHourPrimaryTransactionsTable()", "");
        assertThat(rows.statusCode()).isEqualTo(200);
        assertThat(rows.body())
                .contains("\"RowKey\":\"user;All\"")
                .contains("\"RowKey\":\"user;CreateTable\"")
                .contains("\"PartitionKey\":\"20260302T1000\"")
                .contains("\"TotalRequests\":\"2\"");
        assertThat(send(Service.TABLE, "GET", "/Tables", "").body())
                .contains("orders")
                .doesNotContain("$Metrics");
        assertThat(send(
                                Service.TABLE,
                                "POST",
                                "/$MetricsHourPrimaryTransactionsTable",
                                "{\"PartitionKey\":\"a\",\"RowKey\":\"b\"}",
                                "Content-Type",
                                "application/json")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(
                                Service.TABLE,
                                "POST",
                                "/Tables",
                                "{\"TableName\":\"$MetricsMine\"}",
                                "Content-Type",
                                "application/json")
                        .statusCode())
                .isEqualTo(400);
        assertThat(send(Service.TABLE, "DELETE", "/Tables('$MetricsHourPrimaryTransactionsTable')", "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(
                                Service.TABLE,
                                "DELETE",
                                "/$MetricsHourPrimaryTransactionsTable(PartitionKey='20260302T1000',RowKey='user;All')",
                                "",
                                "If-Match",
                                "*")
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void without_the_Blob_service_there_are_no_logs_and_requests_are_served() throws Exception {
        server.close();
        try (RunningServer other = new RunningServer(engine)) {
            assertThat(other.createTable("orders").statusCode()).isEqualTo(201);
        }
        server = start();
        // Only the first server, which had blobs, has written one.
        assertThat(logs("table/")).hasSize(1);
    }
}
