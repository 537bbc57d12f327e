package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin port, which asks for no credentials, and pages that a browser on the same machine shows. */
class AdminFromBrowserTest {
    private static GuardedServer server;

    @BeforeAll
    static void start() {
        server = new GuardedServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer ask(String line, String... headers) throws IOException {
        String request = line + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
        return GuardedServer.answers(server.adminPort(), request).get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:10003", "localhost.evil.example", "127.0.0.1.evil.example", ""})
    void a_page_whose_name_leads_to_this_machine_reads_nothing(String host) throws IOException {
        for (String path : new String[] {"/metrics", "/health/ready", "/partitions", "/"}) {
            Answer answer = ask("GET " + path, "Host: " + host);
            assertThat(answer.status()).isEqualTo(421);
            assertThat(answer.body()).doesNotContain("trestle_");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:10003", "localhost:10003", "LOCALHOST", "[::1]:10003"})
    void who_calls_by_address_or_as_localhost_is_answered(String host) throws IOException {
        assertThat(ask("GET /health/live", "Host: " + host).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1"})
    void no_page_starts_a_scrub(String origin) throws IOException {
        Answer answer = ask("POST /scrub", "Host: 127.0.0.1", "Origin: " + origin, "Content-Length: 0");
        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void no_page_is_told_that_it_may_read_the_answer() throws IOException {
        for (String line : new String[] {"GET /health/live", "OPTIONS /metrics", "OPTIONS /scrub"}) {
            Answer answer =
                    ask(line, "Host: 127.0.0.1", "Origin: http://evil.example", "Access-Control-Request-Method: POST");
            assertThat(answer.head()).doesNotContainIgnoringCase("Access-Control");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET *", "GET http://", "GET //", "GET /../metrics", "GET /%2e%2e/metrics", "CONNECT a:1"})
    void a_target_that_leads_nowhere_is_told_so(String line) throws IOException {
        assertThat(ask(line, "Host: 127.0.0.1").status()).isEqualTo(404);
    }
}
