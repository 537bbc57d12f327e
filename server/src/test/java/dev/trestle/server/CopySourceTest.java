package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Authorization of copy sources, and the errors without it. */
class CopySourceTest {
    private static final String SOURCE = "/files/source";
    private static final String VERSION = "x-ms-version: 2021-08-06";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        server.owner(Service.BLOB, "PUT", SOURCE, "bytes", "x-ms-blob-type: BlockBlob");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String url(String path) {
        return "http://127.0.0.1/devstoreaccount1" + path;
    }

    private static String signed(String permissions) {
        return url(SOURCE) + "?"
                + Sas.account().with("ss", "b").with("sp", permissions).query();
    }

    /** The requests that fetch the bytes of another address. */
    private static Answer fromUrl(String kind, String source, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("x-ms-copy-source: " + source);
        all.add(VERSION);
        return switch (kind) {
            case "PutBlobFromURL" -> {
                all.add("x-ms-blob-type: BlockBlob");
                yield server.owner(Service.BLOB, "PUT", "/files/made", "", all.toArray(String[]::new));
            }
            case "PutBlockFromURL" ->
                server.owner(
                        Service.BLOB, "PUT", "/files/made?comp=block&blockid=MQ==", "", all.toArray(String[]::new));
            case "AppendBlockFromURL" -> {
                server.owner(Service.BLOB, "PUT", "/files/log", "", "x-ms-blob-type: AppendBlob");
                yield server.owner(Service.BLOB, "PUT", "/files/log?comp=appendblock", "", all.toArray(String[]::new));
            }
            case "CopyBlobFromURL" -> {
                all.add("x-ms-requires-sync: true");
                yield server.owner(Service.BLOB, "PUT", "/files/copied", "", all.toArray(String[]::new));
            }
            default -> server.owner(Service.BLOB, "PUT", "/files/copied", "", all.toArray(String[]::new));
        };
    }

    private static void assertUnverified(Answer answer, int status, String sourceError) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.head())
                .contains(
                        "x-ms-error-code: CannotVerifyCopySource",
                        "x-ms-copy-source-status-code: " + status,
                        "x-ms-copy-source-error-code: " + sourceError);
    }

    @ParameterizedTest
    @CsvSource({"PutBlobFromURL", "PutBlockFromURL", "AppendBlockFromURL", "CopyBlobFromURL"})
    void a_private_source_needs_credentials_of_its_own(String kind) throws IOException {
        assertUnverified(fromUrl(kind, url(SOURCE)), 401, "NoAuthenticationInformation");
        assertUnverified(fromUrl(kind, signed("w")), 403, "AuthorizationPermissionMismatch");
        assertThat(fromUrl(kind, signed("r")).status()).isBetween(201, 202);
    }

    @Test
    void a_copy_within_the_account_reads_with_the_credentials_of_its_request() throws IOException {
        assertThat(fromUrl("CopyBlob", url(SOURCE)).status()).isEqualTo(202);
        assertUnverified(fromUrl("CopyBlob", signed("w")), 403, "AuthorizationPermissionMismatch");
    }

    @ParameterizedTest
    @CsvSource({"PutBlobFromURL", "PutBlockFromURL", "AppendBlockFromURL", "CopyBlobFromURL", "CopyBlob"})
    void a_source_that_is_not_there_is_told_with_what_is_missing(String kind) throws IOException {
        String sas = "?" + Sas.account().with("ss", "b").query();
        assertUnverified(fromUrl(kind, url("/files/none") + sas), 404, "BlobNotFound");
        assertUnverified(fromUrl(kind, url("/none/none") + sas), 404, "ContainerNotFound");
    }

    @ParameterizedTest
    @CsvSource({"PutBlobFromURL", "PutBlockFromURL", "AppendBlockFromURL"})
    void conditions_on_a_fetched_source_are_answered_as_its_reader_is(String kind) throws IOException {
        String etag = server.owner(Service.BLOB, "HEAD", SOURCE, "")
                .head()
                .lines()
                .filter(line -> line.startsWith("ETag: "))
                .findFirst()
                .orElseThrow()
                .substring(6);
        Answer same = fromUrl(kind, signed("r"), "x-ms-source-if-none-match: " + etag);
        assertThat(same.head()).contains(" 304 ", "x-ms-error-code: CannotVerifyCopySource");
        Answer other = fromUrl(kind, signed("r"), "x-ms-source-if-match: 0x111111111111111");
        assertThat(other.head()).contains(" 412 ", "x-ms-error-code: CannotVerifyCopySource");
        assertThat(other.body()).contains("Could not verify the copy source within the specified time.");
    }

    @ParameterizedTest
    @CsvSource({"CopyBlobFromURL", "CopyBlob"})
    void conditions_of_a_copy_say_which_side_they_are_about(String kind) throws IOException {
        server.owner(Service.BLOB, "PUT", "/files/copied", "", "x-ms-blob-type: BlockBlob");
        assertThat(fromUrl(kind, signed("r"), "x-ms-source-if-match: 0x8D0").head())
                .contains(" 412 ", "x-ms-error-code: SourceConditionNotMet");
        assertThat(fromUrl(kind, signed("r"), "If-Match: 0x8D0").head())
                .contains(" 412 ", "x-ms-error-code: TargetConditionNotMet");
    }

    @ParameterizedTest
    @CsvSource({
        "https://devstoreaccount1.blob.core.windows.net/files/source",
        "http://devstoreaccount1.blob.localhost:10000/files/source",
        "https://DEVSTOREACCOUNT1.BLOB.CORE.WINDOWS.NET/files/source"
    })
    void a_source_whose_host_begins_with_an_account_is_on_this_server(String source) throws IOException {
        assertThat(fromUrl("CopyBlob", source).status()).isEqualTo(202);
        assertThat(server.owner(Service.BLOB, "GET", "/files/copied", "").body())
                .isEqualTo("bytes");
    }

    @Test
    void a_source_on_a_host_of_others_is_not_fetched() throws IOException {
        Answer answer = fromUrl("PutBlobFromURL", "https://example.blob.core.windows.net/files/source");
        assertThat(answer.head()).contains(" 404 ", "x-ms-error-code: CannotVerifyCopySource");
    }

    @Test
    void a_blob_put_without_the_properties_of_its_source_has_the_type_of_new_blobs() throws IOException {
        fromUrl("PutBlobFromURL", signed("r"), "x-ms-copy-source-blob-properties: false");
        assertThat(server.owner(Service.BLOB, "HEAD", "/files/made", "").head())
                .contains("Content-Type: application/octet-stream");
    }

    @Test
    void a_bearer_token_for_the_source_is_checked() throws IOException {
        Answer answer = fromUrl("PutBlobFromURL", url(SOURCE), "x-ms-copy-source-authorization: Bearer a.b.c");
        assertThat(answer.status()).isBetween(401, 403);
        assertThat(answer.head()).contains("x-ms-error-code: CannotVerifyCopySource");
        assertThat(fromUrl("PutBlobFromURL", url(SOURCE), "x-ms-copy-source-authorization: Basic abc")
                        .head())
                .contains(" 400 ", "x-ms-error-code: InvalidHeaderValue");
    }

    @Test
    void a_copy_of_a_sealed_blob_is_sealed_unless_its_caller_wants_another() throws IOException {
        server.owner(Service.BLOB, "PUT", "/files/sealed", "", "x-ms-blob-type: AppendBlob");
        server.owner(Service.BLOB, "PUT", "/files/sealed?comp=seal", "");
        String source = "x-ms-copy-source: " + url("/files/sealed");
        server.owner(Service.BLOB, "PUT", "/files/sealed1", "", source);
        server.owner(Service.BLOB, "PUT", "/files/sealed2", "", source, "x-ms-seal-blob: false");
        server.owner(
                Service.BLOB,
                "PUT",
                "/files/sealed3",
                "",
                "x-ms-copy-source: " + url("/files/sealed2"),
                "x-ms-seal-blob: true");
        assertThat(append("/files/sealed1").head()).contains(" 409 ", "BlobIsSealed");
        assertThat(append("/files/sealed2").status()).isEqualTo(201);
        assertThat(append("/files/sealed3").head()).contains(" 409 ", "BlobIsSealed");
        assertThat(server.owner(
                                Service.BLOB,
                                "PUT",
                                "/files/copied2",
                                "",
                                "x-ms-copy-source: " + url(SOURCE),
                                "x-ms-seal-blob: true")
                        .head())
                .contains(" 409 ", "InvalidBlobType");
    }

    private static Answer append(String path) throws IOException {
        return server.owner(Service.BLOB, "PUT", path + "?comp=appendblock", "more");
    }
}
