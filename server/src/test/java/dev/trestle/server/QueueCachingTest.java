package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which responses of the Queue service forbid caches, as recorded for each of its operations. */
class QueueCachingTest {
    private static final String NO_CACHE = "cache-control: no-cache\r\n";
    private static final String MESSAGE = "<QueueMessage><MessageText>text</MessageText></QueueMessage>";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.QUEUE, "PUT", "/jobs", "");
        server.owner(Service.QUEUE, "POST", "/jobs/messages", MESSAGE);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String head(Answer answer) {
        return answer.head().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/?comp=list",
        "GET,/?restype=service&comp=properties",
        "GET,/jobs?comp=metadata",
        "HEAD,/jobs?comp=metadata",
        "GET,/jobs/messages?peekonly=true",
        "GET,/jobs/messages",
    })
    void what_is_read_is_not_to_be_cached(String method, String path) throws IOException {
        Answer answer = server.owner(Service.QUEUE, method, path, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(head(answer)).contains(NO_CACHE);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,/more,201",
        "PUT,/jobs?comp=metadata,204",
        "POST,/jobs/messages,201",
        "DELETE,/jobs/messages,204",
        "GET,/missing?comp=metadata,404",
    })
    void writes_and_errors_say_nothing_of_caches(String method, String path, int status) throws IOException {
        String body = method.equals("POST") ? MESSAGE : "";
        Answer answer = server.owner(Service.QUEUE, method, path, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(head(answer)).doesNotContain("cache-control");
    }
}
