package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Injection into responses: input of a client must not become a header, a script or an element. */
class AnswerInjectionTest {
    private static final String SCRIPT = "<script>alert('\"')</script>";
    private static final String ORIGIN = "Origin: http://a.example";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"orders\"}", "Content-Type: application/json");
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        server.owner(Service.BLOB, "PUT", "/files/a", "text", "x-ms-blob-type: BlockBlob");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void assertNotSplit(Answer answer) {
        assertThat(answer.head().lines()).noneMatch(line -> line.startsWith("Set-Cookie"));
    }

    private static String rules(String origins, String exposed) {
        return "<StorageServiceProperties><Cors><CorsRule><AllowedMethods>GET</AllowedMethods><AllowedOrigins>"
                + origins
                + "</AllowedOrigins><AllowedHeaders>*</AllowedHeaders><ExposedHeaders>" + exposed
                + "</ExposedHeaders><MaxAgeInSeconds>1</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void rules_for_browsers_cannot_hold_the_end_of_a_header(Service service) throws IOException {
        String path = "/?restype=service&comp=properties";
        for (String rules : List.of(
                rules("http://a.example", "x-a&#13;&#10;Set-Cookie: a=b"),
                rules("http://a.example", "x-a&#10;Set-Cookie: a=b"),
                rules("http://a.example&#13;&#10;Set-Cookie: a=b", "x-a"),
                rules("http://a.example,b&#127;", "x-a"))) {
            Answer refused = server.owner(service, "PUT", path, rules);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        }
        Answer accepted =
                server.owner(service, "PUT", path, rules("http://a.example", "x&#x560d;&#x560a;Set-Cookie: a=b"));
        assertThat(accepted.status()).isEqualTo(202);
        Answer answer = server.owner(service, "GET", path, "", ORIGIN);
        assertThat(answer.status()).isEqualTo(200);
        assertNotSplit(answer);
    }

    @Test
    void an_origin_that_no_rule_names_is_not_repeated() throws IOException {
        server.owner(Service.QUEUE, "PUT", "/?restype=service&comp=properties", rules("http://a.example", "x-a"));
        for (String origin :
                List.of("http://a.example.evil", "http://evil/http://a.example", "null", "HTTP://A.EXAMPLE")) {
            Answer answer = server.owner(Service.QUEUE, "GET", "/?comp=list", "", "Origin: " + origin);
            assertThat(answer.head()).doesNotContain("Access-Control");
            String target = "/devstoreaccount1/jobs";
            Answer preflight = server.ask(
                    Service.QUEUE, "OPTIONS", target, "", "Origin: " + origin, "Access-Control-Request-Method: GET");
            assertThat(preflight.status()).isEqualTo(403);
            assertThat(preflight.head()).doesNotContain("Access-Control");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rscc", "rscd", "rsce", "rscl", "rsct"})
    void a_header_that_a_signature_sets_is_one_header(String field) throws IOException {
        for (String value : List.of("a\r\nSet-Cookie: a=b", "a\rSet-Cookie: a=b", "a\u0000b", "a\u007fb")) {
            String sas = Sas.ofBlob("files/a").with(field, value).query();
            Answer answer = server.ask(Service.BLOB, "GET", "/devstoreaccount1/files/a?" + sas, "");
            assertThat(answer.status()).isEqualTo(403);
            assertNotSplit(answer);
        }
        String wide = Sas.ofBlob("files/a")
                .with(field, "a\u560d\u560aSet-Cookie: a=b")
                .query();
        assertNotSplit(server.ask(Service.BLOB, "GET", "/devstoreaccount1/files/a?" + wide, ""));
    }

    @Test
    void a_plan_that_is_shown_is_one_header() throws IOException {
        String filter = encoded("PartitionKey eq 'a\r\nSet-Cookie: a=b'");
        Answer answer =
                server.owner(Service.TABLE, "GET", "/orders()?$filter=" + filter, "", "x-trestle-explain: true");
        assertThat(answer.head()).contains("x-trestle-plan: ", "\\u000d\\u000aSet-Cookie");
        assertNotSplit(answer);
    }

    @Test
    void the_address_of_an_entity_is_one_header_whatever_its_keys() throws IOException {
        Answer answer = server.owner(
                Service.TABLE,
                "POST",
                "/orders",
                "{\"PartitionKey\":\"<b> '\\\"\",\"RowKey\":\"\u00e2\u0080\u00a8Set-Cookie: a=b\"}",
                "Content-Type: application/json");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.head()).contains("Location: http://127.0.0.1/devstoreaccount1/orders(PartitionKey='%3Cb%3E");
        assertNotSplit(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {SCRIPT, "a b", "\u00e9", "a\tb"})
    void an_id_of_the_client_comes_back_only_if_it_is_plain(String id) throws IOException {
        for (Service service : Service.values()) {
            Answer answer = server.owner(service, "GET", "/nothing-here", "", "x-ms-client-request-id: " + id);
            boolean plain = id.equals(SCRIPT);
            assertThat(answer.head().contains("x-ms-client-request-id: " + id)).isEqualTo(plain);
            assertThat(answer.body()).doesNotContain(id);
        }
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void an_error_does_not_carry_what_was_asked_as_markup(Service service) throws IOException {
        String path = encoded(SCRIPT).replace("+", "%20");
        for (String target : List.of(
                "/" + path + "?",
                "/a" + path + "/b?",
                "/?comp=" + path + "&",
                "/x()?$filter=" + path + "&",
                "/x?timeout=" + path + "&")) {
            Answer answer = server.ask(
                    service,
                    "GET",
                    "/devstoreaccount1" + target + GuardedServer.owner(),
                    "",
                    "x-ms-lease-id: " + SCRIPT);
            assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
            assertThat(answer.body()).doesNotContain("<script");
            assertThat(answer.head())
                    .doesNotContain("text/html")
                    .containsPattern("Content-Type: application/(xml|json)");
        }
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void names_that_climb_or_end_early_lead_nowhere(Service service) throws IOException {
        for (String name : List.of(
                "..%2f..%2f..%2fetc%2fpasswd",
                "%2e%2e",
                "..;/..;/etc",
                "..%5c..%5cetc",
                "a%00b",
                "%c0%ae%c0%ae%c0%af",
                "%ed%a0%80",
                "%u002e",
                "a%",
                "CON",
                "-a-",
                "a".repeat(300))) {
            for (String path : List.of("/" + name, "/" + name + "/messages", "/" + name + "/" + name)) {
                Answer answer = server.owner(service, "GET", path, "");
                assertThat(answer.status()).as(service + " " + path).isBetween(400, 499);
            }
        }
    }

    @Test
    void a_blob_is_found_by_its_name_alone_however_that_climbs() throws IOException {
        for (String name : List.of("..%2f..%2fescaped", "%2e%2e/x", "a/../../b", "C:%5cx", "~/x")) {
            Answer put = server.owner(Service.BLOB, "PUT", "/files/" + name, name, "x-ms-blob-type: BlockBlob");
            assertThat(put.status()).as(name + " " + put).isIn(201, 400);
            if (put.status() == 201) {
                assertThat(server.owner(Service.BLOB, "GET", "/files/" + name, "")
                                .body())
                        .isEqualTo(name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../x", "%00", "2026-03-02T10:00:00Z/../x", "'", "9999-99-99"})
    void snapshots_blocks_and_markers_are_not_paths(String text) throws IOException {
        for (String path : List.of(
                "/files/a?snapshot=", "/files/a?comp=block&blockid=", "/files?restype=container&comp=list&marker=")) {
            String method = path.contains("blockid") ? "PUT" : "GET";
            Answer answer = server.owner(Service.BLOB, method, path + encoded(text), "x");
            assertThat(answer.status()).as(answer.toString()).isBetween(400, 404);
        }
    }
}
