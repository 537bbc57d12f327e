package dev.trestle.server.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.StagedContent;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.FakeHttp;
import dev.trestle.server.pipeline.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentChecksumsTest {
    private static final byte[] HELLO = "Hello World".getBytes(UTF_8);
    private static final StagedContent STAGED = StagedContent.inMemory(HELLO, 0, HELLO.length);
    private static final String MD5 = "sQqNsWTgdUEFt6mb5y4/5Q==";
    private static final String CRC64 = "YeJLfssylmU=";
    private static final String OTHER_MD5 = "AAAAAAAAAAAAAAAAAAAAAA==";

    private final FakeHttp http = new FakeHttp("PUT", "/acct/c/b");

    private static StorageException refusal(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run);
    }

    @Test
    void what_was_sent_passes_and_is_told_again_by_the_same_checksum() {
        ContentChecksums md5 =
                ContentChecksums.of(http.header("Content-MD5", MD5).request());
        md5.verify(STAGED);
        md5.verify(HELLO);
        assertThat(md5.addTo(new Response(201), STAGED).headers()).containsExactly(Map.entry("Content-MD5", MD5));
        ContentChecksums crc64 = ContentChecksums.of(
                new FakeHttp("PUT", "/").header("x-ms-content-crc64", CRC64).request());
        crc64.verify(STAGED);
        crc64.verify(HELLO);
        assertThat(crc64.addTo(new Response(201), HELLO).headers())
                .containsExactly(Map.entry("x-ms-content-crc64", CRC64));
        ContentChecksums none = ContentChecksums.of(new FakeHttp("PUT", "/").request());
        none.verify(STAGED);
        assertThat(none.addTo(new Response(201), STAGED).headers())
                .containsExactly(Map.entry("x-ms-content-crc64", CRC64));
    }

    @Test
    void other_bytes_are_refused_with_both_checksums() {
        StorageException md5 = refusal(
                () -> ContentChecksums.of(http.header("Content-MD5", OTHER_MD5).request())
                        .verify(STAGED));
        assertThat(md5.error()).isEqualTo(StorageError.MD5_MISMATCH);
        assertThat(md5.details())
                .containsEntry("UserSpecifiedMd5", OTHER_MD5)
                .containsEntry("ServerCalculatedMd5", MD5);
        StorageException crc64 = refusal(() -> ContentChecksums.of(new FakeHttp("PUT", "/")
                        .header("x-ms-content-crc64", "AAAAAAAAAAA=")
                        .request())
                .verify(HELLO));
        assertThat(crc64.error()).isEqualTo(StorageError.CRC64_MISMATCH);
        assertThat(crc64.details())
                .containsEntry("UserSpecifiedCrc64", "AAAAAAAAAAA=")
                .containsEntry("ServerCalculatedCrc64", CRC64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "sQqNsWTgdUEFt6mb5y4/5", "????????????????????????"})
    void an_md5_has_its_form(String text) {
        assertThat(refusal(() -> ContentChecksums.of(
                                http.header("Content-MD5", text).request()))
                        .error())
                .isEqualTo(StorageError.INVALID_MD5);
    }

    @Test
    void a_crc64_of_another_length_is_a_wrong_one() {
        ContentChecksums checks = ContentChecksums.of(
                new FakeHttp("PUT", "/").header("x-ms-content-crc64", "AAAA").request());
        assertThat(refusal(() -> checks.verify(HELLO)).error()).isEqualTo(StorageError.CRC64_MISMATCH);
    }

    @Test
    void versions_without_crc64_are_told_the_md5() {
        ContentChecksums checks = ContentChecksums.of(
                new FakeHttp("PUT", "/").header("x-ms-version", "2018-11-09").request());
        assertThat(checks.addTo(new Response(201), STAGED).headers()).containsExactly(Map.entry("Content-MD5", MD5));
        assertThat(checks.addTo(new Response(201), HELLO).headers()).containsExactly(Map.entry("Content-MD5", MD5));
    }

    @Test
    void what_a_writer_wants_readers_to_be_told_is_taken_as_it_is() {
        assertThat(ContentChecksums.blobMd5(new FakeHttp("PUT", "/")
                        .header("x-ms-blob-content-md5", "TURBd01EQXdNREE9")
                        .request()))
                .isEqualTo("TURBd01EQXdNREE9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "sQqNsWTgdUEFt6mb5y4/5", "????????????????????????"})
    void a_crc64_is_base64(String text) {
        assertThat(refusal(() -> ContentChecksums.of(new FakeHttp("PUT", "/")
                                .header("x-ms-content-crc64", text)
                                .request()))
                        .error())
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }

    @Test
    void there_is_one_checksum_at_most() {
        http.header("Content-MD5", MD5).header("x-ms-content-crc64", CRC64);
        assertThat(refusal(() -> ContentChecksums.of(http.request())).error())
                .isEqualTo(StorageError.BOTH_CRC64_AND_MD5_HEADER_PRESENT);
    }

    @Test
    void that_of_the_blob_goes_before_that_of_the_body() {
        http.header("Content-MD5", OTHER_MD5).header("x-ms-blob-content-md5", MD5);
        ContentChecksums.ofBlob(http.request()).verify(STAGED);
        assertThat(refusal(() -> ContentChecksums.of(http.request()).verify(STAGED))
                        .error())
                .isEqualTo(StorageError.MD5_MISMATCH);
    }
}
