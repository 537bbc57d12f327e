package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forged hosts, accounts and client addresses. */
class ForeignHostTest {
    private static GuardedServer server;

    @BeforeAll
    static void start() {
        server = new GuardedServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer get(Service service, String target, String host, String... headers) throws IOException {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        String request = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n";
        return GuardedServer.answers(server.port(service), request).get(0);
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void a_signature_is_for_its_own_account_wherever_that_is_named(Service service) throws IOException {
        String list = "?comp=list&" + GuardedServer.owner();
        String path = service == Service.TABLE ? "/Tables?" + GuardedServer.owner() : "/" + list;
        assertThat(get(service, "/devstoreaccount1" + path, "127.0.0.1").status())
                .isEqualTo(200);
        assertThat(get(service, path, "devstoreaccount1.localhost").status()).isEqualTo(200);
        for (Answer refused : List.of(
                get(service, "/otheraccount" + path, "127.0.0.1"),
                get(service, path, "otheraccount.localhost"),
                get(service, "/devstoreaccount1" + path, "otheraccount.localhost"),
                get(service, "http://otheraccount.localhost/devstoreaccount1" + path, "devstoreaccount1.localhost"),
                get(service, "/otheraccount-secondary" + path, "127.0.0.1"))) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:1:2",
                "a:b",
                "a:65536",
                "a:123456",
                "::1",
                "[::1",
                "::1]",
                "[::1]:1:2",
                "[::1]1",
                "[]",
                ":1",
                "[a]",
                "a[b]"
            })
    void what_is_no_host_with_one_port_is_refused(String host) throws IOException {
        for (Service service : Service.values()) {
            Answer refused = get(service, "/devstoreaccount1/?comp=list&" + GuardedServer.owner(), host);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a:",
                "a:1",
                "127.0.0.1:65535",
                "[::1]",
                "[::1]:10002",
                "[fe80::1%25eth0]:1",
                "my_host.local"
            })
    void a_host_may_be_a_name_or_an_address_with_a_port(String host) throws IOException {
        for (Service service : Service.values()) {
            Answer answer = get(service, "/devstoreaccount1/?comp=list&" + GuardedServer.owner(), host);
            assertThat(answer.head()).doesNotContain("InvalidHeaderValue");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/DEVSTOREACCOUNT1", "/devstoreaccount1%00", "/%64evstoreaccount1", "//devstoreaccount1", "/."})
    void an_account_has_one_spelling(String account) throws IOException {
        Answer answer = get(Service.TABLE, account + "/Tables?" + GuardedServer.owner(), "127.0.0.1");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void nothing_is_written_by_way_of_the_secondary(Service service) throws IOException {
        String target = "/devstoreaccount1-secondary/"
                + (service == Service.TABLE ? "Tables?" : "things?restype=container&")
                + GuardedServer.owner();
        String method = service == Service.TABLE ? "POST" : "PUT";
        Answer answer =
                server.ask(service, method, target, "{\"TableName\":\"things\"}", "Content-Type: application/json");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\",\"x\":\"", "<script>", "a b", "a/b", "a\\b", "a@b", "\u00e9"})
    void a_host_that_could_be_none_is_refused_and_not_repeated(String host) throws IOException {
        String tables = "/devstoreaccount1/Tables?" + GuardedServer.owner();
        for (Answer answer : List.of(
                get(Service.TABLE, tables, host),
                get(Service.QUEUE, "/devstoreaccount1/?comp=list&" + GuardedServer.owner(), host))) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).doesNotContain(host);
        }
    }

    @Test
    void what_a_proxy_would_say_of_its_client_is_not_believed() throws IOException {
        String elsewhere = Sas.account().with("sip", "10.0.0.1").query();
        String encrypted = Sas.account().with("spr", "https").query();
        String[] forwarded = {
            "X-Forwarded-For: 10.0.0.1",
            "X-Real-IP: 10.0.0.1",
            "X-Forwarded-Proto: https",
            "Forwarded: for=10.0.0.1;proto=https",
        };
        assertThat(get(Service.TABLE, "/devstoreaccount1/Tables?" + elsewhere, "127.0.0.1", forwarded)
                        .body())
                .contains("AuthorizationSourceIPMismatch");
        assertThat(get(Service.TABLE, "/devstoreaccount1/Tables?" + encrypted, "127.0.0.1", forwarded)
                        .body())
                .contains("AuthorizationProtocolMismatch");
        String announced = "PROXY TCP4 10.0.0.1 127.0.0.1 4711 80\r\nGET /devstoreaccount1/Tables?" + elsewhere
                + " HTTP/1.1\r\nHost: x\r\n\r\n";
        assertThat(GuardedServer.answers(server.port(Service.TABLE), announced))
                .allMatch(answer -> answer.status() == 400);
    }

    @Test
    void an_account_that_another_header_names_does_not_count() throws IOException {
        Answer answer = get(
                Service.TABLE,
                "/otheraccount/Tables?" + GuardedServer.owner(),
                "127.0.0.1",
                "X-Forwarded-Host: devstoreaccount1.localhost",
                "X-Original-URL: /devstoreaccount1/Tables",
                "X-Rewrite-URL: /devstoreaccount1/Tables");
        assertThat(answer.status()).isEqualTo(403);
    }
}
