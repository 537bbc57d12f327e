package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditional headers are honoured or refused, in the order in which the service looks at them. */
class BlobConditionHeadersTest {
    private static final String LEASE = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer put(String name, String body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("x-ms-blob-type: BlockBlob");
        return server.owner(Service.BLOB, "PUT", "/files/" + name, body, all.toArray(String[]::new));
    }

    private static Answer get(String name, String... headers) throws IOException {
        return server.owner(Service.BLOB, "GET", "/files/" + name, "", headers);
    }

    @Test
    void deleting_honours_conditions_on_the_tier() throws IOException {
        put("tiered", "x");
        String future = "Sat, 02 Mar 2030 10:00:00 GMT";
        String past = "Wed, 01 Mar 2023 10:00:00 GMT";
        for (String header : List.of(
                "x-ms-access-tier-if-modified-since: " + future, "x-ms-access-tier-if-unmodified-since: " + past)) {
            Answer refused = server.owner(Service.BLOB, "DELETE", "/files/tiered", "", header);
            assertThat(refused.head()).contains(" 412 ", "x-ms-error-code: ConditionNotMet");
        }
        assertThat(get("tiered").status()).isEqualTo(200);
        Answer deleted = server.owner(
                Service.BLOB,
                "DELETE",
                "/files/tiered",
                "",
                "x-ms-access-tier-if-modified-since: " + past,
                "x-ms-access-tier-if-unmodified-since: " + future);
        assertThat(deleted.status()).isEqualTo(202);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /files/there",
        "PUT, /files/there?comp=metadata",
        "PUT, /files/there?comp=tier",
        "DELETE, /files?restype=container",
        "GET, /files?restype=container&comp=list"
    })
    void everything_else_refuses_conditions_on_the_tier(String method, String path) throws IOException {
        put("there", "x");
        Answer answer = server.owner(
                Service.BLOB, method, path, "", "x-ms-access-tier-if-modified-since: Wed, 01 Mar 2023 10:00:00 GMT");
        assertThat(answer.head()).contains(" 400 ", "x-ms-error-code: UnsupportedHeader");
        assertThat(get("there").body()).isEqualTo("x");
    }

    @Test
    void the_checksum_of_the_bytes_is_checked_before_whether_the_blob_is_there() throws IOException {
        put("summed", "x");
        String wrong = "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==";
        assertThat(put("summed", "y", "If-None-Match: *", wrong).head()).contains("x-ms-error-code: Md5Mismatch");
        assertThat(put("summed", "y", "If-None-Match: *").head()).contains(" 409 ", "BlobAlreadyExists");
        assertThat(get("summed").body()).isEqualTo("x");
    }

    @Test
    void the_holder_of_the_lease_replaces_the_blob_in_spite_of_if_none_match() throws IOException {
        put("leased", "x");
        server.owner(
                Service.BLOB,
                "PUT",
                "/files/leased?comp=lease",
                "",
                "x-ms-lease-action: acquire",
                "x-ms-lease-duration: -1",
                "x-ms-proposed-lease-id: {" + LEASE + "}");
        assertThat(put("leased", "y", "If-None-Match: *").head()).contains(" 412 ", "LeaseIdMissing");
        Answer replaced = put("leased", "y", "If-None-Match: *", "x-ms-lease-id: " + LEASE.replace("-", ""));
        assertThat(replaced.status()).isEqualTo(201);
        assertThat(get("leased").body()).isEqualTo("y");
    }

    @Test
    void a_reader_who_wants_no_blob_is_refused_whether_or_not_there_is_one() throws IOException {
        put("present", "x");
        for (String name : List.of("present", "missing")) {
            for (String method : List.of("GET", "HEAD")) {
                Answer answer = server.owner(Service.BLOB, method, "/files/" + name, "", "If-None-Match: *");
                assertThat(answer.head()).contains(" 400 ", "x-ms-error-code: UnsatisfiableCondition");
            }
        }
        assertThat(get("missing").status()).isEqualTo(404);
    }

    @Test
    void a_reader_who_has_the_blob_already_is_told_no_etag() throws IOException {
        put("cached", "x");
        String etag = get("cached")
                .head()
                .lines()
                .filter(line -> line.startsWith("ETag: "))
                .findFirst()
                .orElseThrow();
        Answer answer = get("cached", "If-None-Match: " + etag.substring(6));
        assertThat(answer.head())
                .contains(" 304 ", "x-ms-error-code: ConditionNotMet")
                .doesNotContain("ETag");
    }
}
