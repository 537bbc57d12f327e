package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers for features that the server does not have: the request is refused and has no effect. */
@ExtendWith(SharedServer.class)
class RefusedHeadersIT {
    private static final byte[] CONTENT = {'a'};
    private static final byte[] NOTHING = {};

    private final String container = SharedServer.newContainerName();
    private final BlobConnection blobs;
    private final TrestleProcess server;

    RefusedHeadersIT(TrestleProcess server) throws IOException {
        this.server = server;
        this.blobs = new BlobConnection(server, container);
    }

    @BeforeEach
    void make() throws IOException {
        assertThat(blobs.create()).isEqualTo(201);
        assertThat(blobs.put("there", CONTENT)).isEqualTo(201);
        assertThat(blobs.createAppend("log")).isEqualTo(201);
    }

    @AfterEach
    void close() throws IOException {
        blobs.close();
    }

    private void refused(RawRequest request, String header) throws IOException {
        RawResponse answer = blobs.exchange(request);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.header("x-ms-error-code")).hasValue("UnsupportedHeader");
        assertThat(answer.body()).contains("<HeaderName>" + header + "</HeaderName>");
    }

    private RawRequest put(String blobAndQuery, String... headers) {
        RawRequest request = RawRequest.ofBlob("PUT", blobs.path(blobAndQuery)).body(NOTHING);
        for (int i = 0; i < headers.length; i += 2) {
            request = request.with(headers[i], headers[i + 1]);
        }
        return request;
    }

    @ParameterizedTest
    @CsvSource({
        "x-ms-encryption-key, c2VjcmV0",
        "x-ms-encryption-key-sha256, c2VjcmV0",
        "x-ms-encryption-algorithm, AES256",
        "x-ms-encryption-scope, scope",
        "x-ms-encryption-context, context",
        "x-ms-immutability-policy-until-date, 'Fri, 31 Jul 2026 18:00:00 GMT'",
        "x-ms-immutability-policy-mode, locked",
        "x-ms-legal-hold, true",
        "x-ms-expiry-option, RelativeToNow",
        "x-ms-expiry-time, 1000",
        "x-ms-structured-body, XSM/1.0; properties=crc64",
        "x-ms-structured-content-length, 1",
        "x-ms-seal-blob, true",
        "x-ms-seal-condition, true",
        "x-ms-blob-content-length, 512",
        "x-ms-blob-sequence-number, 1",
        "x-ms-if-sequence-number-le, 1",
        "x-ms-blob-condition-appendpos, 0",
        "x-ms-blob-condition-maxsize, 10",
        "x-ms-source-if-match, *",
        "x-ms-source-if-tags, a='b'",
        "x-ms-source-lease-id, 11111111-1111-1111-1111-111111111111",
        "x-ms-source-content-md5, sQqNsWTgdUEFt6mb5y4/5Q=="
    })
    void a_blob_is_not_put(String header, String value) throws IOException {
        refused(RawRequest.putBlob(blobs.path("new"), CONTENT).with(header, value), header);
        assertThat(blobs.get("new").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "x-ms-source-encryption-key, c2VjcmV0",
        "x-ms-file-request-intent, backup",
        "x-ms-source-range, bytes=0-0",
        "x-ms-source-content-crc64, AAAAAAAAAAA="
    })
    void a_blob_is_not_copied(String header, String value) throws IOException {
        String source = "http://127.0.0.1/" + TrestleProcess.ACCOUNT + blobs.path("there");
        refused(put("new", "x-ms-copy-source", source, header, value), header);
        assertThat(blobs.get("new").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "x-ms-if-tags"})
    void a_block_has_no_conditions(String header) throws IOException {
        RawRequest block = put("new?comp=block&blockid=AAAA", header, "Fri, 31 Jul 2026 18:00:00 GMT");
        refused(block.body(CONTENT), header.toLowerCase(Locale.ROOT));
        assertThat(blobs.uncommitted("new")).isEmpty();
    }

    @Test
    void containers_and_reads_are_refused_what_they_ask_for_likewise() throws IOException {
        String other = "/" + SharedServer.newContainerName() + "?restype=container";
        for (String header : List.of("x-ms-default-encryption-scope", "x-ms-deny-encryption-scope-override")) {
            refused(RawRequest.ofBlob("PUT", other).with(header, "true").body(NOTHING), header);
        }
        assertThat(blobs.exchange(RawRequest.ofBlob("GET", other)).status()).isEqualTo(404);
        for (String header : List.of("x-ms-encryption-key", "x-ms-structured-body")) {
            refused(RawRequest.ofBlob("GET", blobs.path("there")).with(header, "x"), header);
        }
        refused(put("log", "x-ms-blob-type", "AppendBlob", "x-ms-access-tier", "Cool"), "x-ms-access-tier");
        refused(put("there?comp=properties", "x-ms-sequence-number-action", "max"), "x-ms-sequence-number-action");
    }

    @Test
    void versions_and_other_forms_of_listings_are_not_built() throws IOException {
        String source = "http://127.0.0.1/" + TrestleProcess.ACCOUNT + blobs.path("there");
        List<RawRequest> requests = new ArrayList<>();
        requests.add(RawRequest.ofBlob("GET", blobs.path("there") + "?versionid=2026-07-31T18:00:00.0000000Z"));
        requests.add(put("new", "x-ms-copy-source", source + "?versionid=2026-07-31T18:00:00.0000000Z"));
        for (String parameter : List.of("endBefore=x", "showonly=deleted")) {
            requests.add(RawRequest.ofBlob("GET", "/" + container + "?restype=container&comp=list&" + parameter));
        }
        for (RawRequest request : requests) {
            RawResponse answer = blobs.exchange(request);
            assertThat(answer.status()).as(answer.text()).isEqualTo(501);
            assertThat(answer.header("x-ms-error-code")).hasValue("NotImplemented");
        }
    }

    @Test
    void what_can_be_done_is_done() throws IOException {
        String source = "http://127.0.0.1/" + TrestleProcess.ACCOUNT + blobs.path("there") + "?"
                + Sdk.blobService(server).generateAccountSas(Sdk.accountSas("r", "b", "o"));
        String md5 = "DMF1ucDxtqgxw5niaXcmYQ==";
        RawResponse copied = blobs.exchange(
                put("copy", "x-ms-copy-source", source, "x-ms-requires-sync", "true", "x-ms-source-content-md5", md5));
        assertThat(copied.status()).as(copied.text()).isEqualTo(202);
        assertThat(copied.header("Content-MD5")).hasValue(md5);
        RawResponse other = blobs.exchange(put(
                "other",
                "x-ms-copy-source",
                source,
                "x-ms-requires-sync",
                "true",
                "x-ms-source-content-md5",
                "AAAAAAAAAAAAAAAAAAAAAA=="));
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.header("x-ms-error-code")).hasValue("Md5Mismatch");
        RawResponse plain = blobs.exchange(put("plain", "x-ms-copy-source", source, "x-ms-requires-sync", "true"));
        assertThat(plain.header("x-ms-content-crc64")).isPresent();
        RawResponse leased = blobs.exchange(put(
                "leased", "x-ms-copy-source", source, "x-ms-source-lease-id", "11111111-1111-1111-1111-111111111111"));
        assertThat(leased.header("x-ms-error-code")).hasValue("LeaseNotPresentWithBlobOperation");
        assertThat(tier("High").status()).isEqualTo(200);
        assertThat(tier("Soon").header("x-ms-error-code")).hasValue("InvalidHeaderValue");
        RawResponse md5less = blobs.exchange(put("there?comp=properties", "x-ms-blob-content-md5", "no base64"));
        assertThat(md5less.header("x-ms-error-code")).hasValue("InvalidMd5");
    }

    private RawResponse tier(String priority) throws IOException {
        return blobs.exchange(put("there?comp=tier", "x-ms-access-tier", "Cool", "x-ms-rehydrate-priority", priority));
    }
}
