package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The account key on the Blob service, where its rules are met by other requests than on queues. */
class BlobSharedKeyTest {
    private static final String VERSION = "2026-06-06";
    private static final String DATE = "Fri, 31 Jul 2026 18:00:00 GMT";
    private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    private static final String HEADERS = "x-ms-date:" + DATE + "\nx-ms-version:" + VERSION + "\n";

    private final Judge acct1 = new Judge(Requests.VECTOR_ACCOUNTS, false).at("2026-07-31T18:00:00Z");

    @Test
    void the_vector_of_an_upload_by_the_Java_client_is_accepted() {
        Requests request = Requests.to("/acct1/photos/emp/0099.jpg")
                .service(Service.BLOB)
                .account("acct1")
                .method("PUT")
                .header("Date", DATE)
                .header("x-ms-version", VERSION)
                .header("Content-Length", "11")
                .header("Content-Type", "application/octet-stream")
                .header("If-None-Match", "*")
                .header("x-ms-meta-emp", "0099")
                .header("x-ms-blob-type", "BlockBlob")
                .header("Authorization", "SharedKey acct1:bojnwNvIwp25++1UAtRH2gU/fmI8Y2noRR08Uj5EVqQ=");

        assertThat(acct1.grant(request)).isEqualTo(new OwnerGrant());
        assertThat(acct1.error(request.header("x-ms-meta-emp", "0098"))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_vector_of_a_listing_is_accepted() {
        assertOwner(get("/logs")
                .query("restype=container&comp=list&prefix=queue%2F2014%2F07%2F31%2F18&delimiter=%2F&include=metadata")
                .header("Authorization", "SharedKey acct1:tzSa0WWFEX0cGfixzZOfNzHRT5L6qdyHP8EYm1ReyE8="));
    }

    @ParameterizedTest
    @ValueSource(strings = {"snapshots,metadata,uncommittedblobs,copy", "copy,metadata,snapshots,uncommittedblobs"})
    void what_a_listing_includes_may_be_signed_as_sent_or_sorted(String signed) {
        assertOwner(sign(
                get("/acct1/logs")
                        .query("restype=container&comp=list&include=snapshots,metadata,uncommittedblobs,copy"),
                "GET" + "\n".repeat(12) + HEADERS + "/acct1/acct1/logs\ncomp:list\ninclude:" + signed
                        + "\nrestype:container"));
    }

    @Test
    void the_name_of_a_blob_is_signed_as_it_was_sent() {
        assertOwner(sign(
                get("/acct1/photos/a%2Fb%20c/%C3%A9+d"),
                "GET" + "\n".repeat(12) + HEADERS + "/acct1/acct1/photos/a%2Fb%20c/%C3%A9+d"));
    }

    @Test
    void a_body_of_no_bytes_is_signed_as_none() {
        assertOwner(sign(
                get("/acct1/logs/1.log")
                        .method("PUT")
                        .header("Content-Length", "0")
                        .header("x-ms-blob-type", "AppendBlob"),
                "PUT" + "\n".repeat(12) + "x-ms-blob-type:AppendBlob\n" + HEADERS + "/acct1/acct1/logs/1.log"));
    }

    @Test
    void ranges_of_both_kinds_and_a_snapshot_are_signed() {
        assertOwner(sign(
                get("/photos/p")
                        .query("snapshot=2026-07-31T18:00:00.1234567Z")
                        .header("Range", "bytes=0-9")
                        .header("x-ms-range", "bytes=0-1"),
                "GET" + "\n".repeat(11) + "bytes=0-9\nx-ms-date:" + DATE + "\nx-ms-range:bytes=0-1\nx-ms-version:"
                        + VERSION + "\n/acct1/photos/p\nsnapshot:2026-07-31T18:00:00.1234567Z"));
    }

    @Test
    void the_lite_form_signs_the_component_only() {
        assertOwner(get("/acct1/photos/p")
                .query("comp=blocklist&blocklisttype=all")
                .header(
                        "Authorization",
                        "SharedKeyLite acct1:"
                                + Requests.sign(
                                        KEY, "GET\n\n\n\n" + HEADERS + "/acct1/acct1/photos/p?comp=blocklist")));
    }

    private static Requests get(String path) {
        return Requests.to(path)
                .service(Service.BLOB)
                .account("acct1")
                .header("x-ms-date", DATE)
                .header("x-ms-version", VERSION);
    }

    private static Requests sign(Requests request, String text) {
        return request.header("Authorization", "SharedKey acct1:" + Requests.sign(KEY, text));
    }

    private void assertOwner(Requests request) {
        assertThat(acct1.grant(request)).isEqualTo(new OwnerGrant());
    }
}
