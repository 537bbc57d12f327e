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

/** Response headers of blobs and containers that depend on the request, as recorded from the service. */
class BlobHeadersTest {
    private static final String NEW = "x-ms-version: 2021-08-06";
    private static final String OLD = "x-ms-version: 2018-11-09";
    private static final String HELLO_MD5 = "XUFAKrxLKna5cZ2REBfFkg==";

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

    private static Answer blob(String method, String path, String body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        if (all.stream().noneMatch(header -> header.startsWith("x-ms-version"))) {
            all.add(NEW);
        }
        return server.owner(Service.BLOB, method, "/files" + path, body, all.toArray(String[]::new));
    }

    private static Answer put(String path, String body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("x-ms-blob-type: BlockBlob");
        return blob("PUT", path, body, all.toArray(String[]::new));
    }

    @Test
    void a_type_that_is_not_given_when_properties_are_set_is_cleared() throws IOException {
        put("/typed", "hello", "Content-Type: text/plain");
        put("/untyped", "hello");
        assertThat(blob("HEAD", "/typed", "").head()).contains("Content-Type: text/plain");
        assertThat(blob("HEAD", "/untyped", "").head()).contains("Content-Type: application/octet-stream");
        blob("PUT", "/typed?comp=properties", "", "x-ms-blob-content-language: de");
        assertThat(blob("HEAD", "/typed", "").head())
                .doesNotContain("Content-Type")
                .contains("Content-Language: de");
        assertThat(blob("GET", "/typed", "").body()).isEqualTo("hello");
        assertThat(blob("GET", "?restype=container&comp=list&prefix=typed", "").body())
                .contains("<Content-Type />");
    }

    @Test
    void an_md5_that_is_set_as_a_property_is_told_as_it_was_given() throws IOException {
        put("/summed", "hello");
        blob("PUT", "/summed?comp=properties", "", "x-ms-blob-content-md5: TURBd01EQXdNREE9");
        assertThat(blob("GET", "/summed", "", "x-ms-range: bytes=0-1", "x-ms-range-get-content-md5: true")
                        .head())
                .contains("x-ms-blob-content-md5: TURBd01EQXdNREE9")
                .doesNotContain("Content-MD5: TURBd01EQXdNREE9");
        assertThat(put("/wrong", "hello", "x-ms-blob-content-md5: AAAAAAAAAAAAAAAAAAAAAA==")
                        .head())
                .contains("Md5Mismatch");
    }

    @Test
    void blocks_and_appends_are_told_one_checksum() throws IOException {
        blob("PUT", "/log", "", "x-ms-blob-type: AppendBlob");
        for (String path : List.of("/blocks?comp=block&blockid=MQ==", "/log?comp=appendblock")) {
            assertThat(blob("PUT", path, "hello").head())
                    .contains("x-ms-content-crc64: ")
                    .doesNotContain("Content-MD5");
            assertThat(blob("PUT", path, "hello", "Content-MD5: " + HELLO_MD5).head())
                    .contains("Content-MD5: " + HELLO_MD5)
                    .doesNotContain("crc64");
            assertThat(blob("PUT", path, "hello", OLD).head())
                    .contains("Content-MD5: " + HELLO_MD5)
                    .doesNotContain("crc64");
            assertThat(blob("PUT", path, "hello", "x-ms-content-crc64: AAAA").head())
                    .contains(" 400 ", "Crc64Mismatch");
        }
        assertThat(put("/whole", "hello").head()).contains("Content-MD5: " + HELLO_MD5, "x-ms-content-crc64: ");
        assertThat(put("/whole", "hello", OLD).head()).contains("Content-MD5: ").doesNotContain("crc64");
    }

    @Test
    void blocks_that_no_blob_has_yet_have_no_length() throws IOException {
        blob("PUT", "/waiting?comp=block&blockid=MQ==", "hello");
        assertThat(blob("GET", "/waiting?comp=blocklist&blocklisttype=all", "").head())
                .doesNotContain("x-ms-blob-content-length");
        put("/there", "hello");
        assertThat(blob("GET", "/there?comp=blocklist", "").head()).contains("x-ms-blob-content-length: 5");
    }

    @Test
    void an_append_with_an_etag_of_before_1601_is_out_of_range() throws IOException {
        blob("PUT", "/early", "", "x-ms-blob-type: AppendBlob");
        assertThat(blob("PUT", "/early?comp=appendblock", "x", "If-Match: 0x111111111111111")
                        .head())
                .contains(" 400 ", "OutOfRangeInput");
        assertThat(blob("PUT", "/early?comp=appendblock", "x", "If-Match: 0x8D0000000000000")
                        .head())
                .contains(" 412 ", "ConditionNotMet");
        assertThat(blob("PUT", "/early?comp=metadata", "", "If-Match: 0x111111111111111")
                        .head())
                .contains(" 412 ", "ConditionNotMet");
    }

    @Test
    void asking_for_the_head_of_an_impossible_snapshot_is_answered_with_nothing_but_a_status() throws IOException {
        put("/blob", "hello");
        Answer head = blob("HEAD", "/blob?snapshot=1", "");
        assertThat(head.status()).isEqualTo(400);
        assertThat(head.head()).doesNotContain("x-ms-error-code", "x-ms-version", "Content-Type");
        assertThat(blob("GET", "/blob?snapshot=1", "").head()).contains(" 400 ", "InvalidQueryParameterValue");
    }

    @Test
    void containers_tell_of_the_encryption_scope_that_all_have() throws IOException {
        assertThat(blob("GET", "?restype=container", "").head())
                .contains(
                        "x-ms-default-encryption-scope: $account-encryption-key",
                        "x-ms-deny-encryption-scope-override: false");
    }

    @Test
    void snapshots_are_not_encrypted_by_their_request() throws IOException {
        put("/shot", "hello");
        assertThat(blob("PUT", "/shot?comp=snapshot", "").head()).contains("x-ms-request-server-encrypted: false");
    }

    @Test
    void the_tier_of_a_snapshot_is_set_by_itself() throws IOException {
        put("/tiers", "hello");
        String snapshot = blob("PUT", "/tiers?comp=snapshot", "")
                .head()
                .lines()
                .filter(line -> line.startsWith("x-ms-snapshot: "))
                .findFirst()
                .orElseThrow()
                .substring(15);
        Answer set = blob("PUT", "/tiers?comp=tier&snapshot=" + snapshot, "", "x-ms-access-tier: Cool");
        assertThat(set.status()).isEqualTo(200);
        assertThat(blob("HEAD", "/tiers?snapshot=" + snapshot, "").head()).contains("x-ms-access-tier: Cool");
        assertThat(blob("HEAD", "/tiers", "").head()).contains("x-ms-access-tier: Hot");
        assertThat(blob("PUT", "/tiers?comp=metadata&snapshot=" + snapshot, "").head())
                .contains(" 400 ", "InvalidOperation");
    }

    @Test
    void leaving_the_archive_is_accepted_and_pending() throws IOException {
        put("/cold", "hello");
        assertThat(blob("PUT", "/cold?comp=tier", "", "x-ms-access-tier: Archive")
                        .status())
                .isEqualTo(200);
        assertThat(blob("GET", "/cold", "").head()).contains(" 409 ", "x-ms-error-code: BlobArchived");
        assertThat(blob("PUT", "/cold?comp=tier", "", "x-ms-access-tier: Cool").status())
                .isEqualTo(202);
        assertThat(blob("HEAD", "/cold", "").head())
                .contains(
                        "x-ms-access-tier: Archive",
                        "x-ms-archive-status: rehydrate-pending-to-cool",
                        "x-ms-rehydrate-priority: Standard");
        assertThat(blob("GET", "?restype=container&comp=list&prefix=cold", "").body())
                .contains(
                        "<AccessTier>Archive</AccessTier>",
                        "<ArchiveStatus>rehydrate-pending-to-cool</ArchiveStatus>",
                        "<RehydratePriority>Standard</RehydratePriority>");
        assertThat(blob("PUT", "/cold?comp=tier", "", "x-ms-access-tier: Cool", "x-ms-rehydrate-priority: Low")
                        .head())
                .contains(" 400 ", "InvalidHeaderValue");
    }
}
