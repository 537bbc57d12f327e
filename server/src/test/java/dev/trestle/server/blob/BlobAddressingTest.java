package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.BlobLister.Cursor;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.pipeline.RequestAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests name blobs: in their paths, in markers and as sources of copies. */
class BlobAddressingTest {
    private static final String HOST = "127.0.0.1:10000";
    private static final String ACCOUNT = "devstoreaccount1";

    private static StorageError errorOf(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run).error();
    }

    @ParameterizedTest
    @CsvSource({
        "/c/b, c, b",
        "/c/a%2Fb, c, a/b",
        "/c/a/b/, c, a/b/",
        "/c/a+b, c, a+b",
        "/c/a%20b, c, 'a b'",
        "/c/..%2f..%2fb, c, ../../b",
        "/c/a%5Cb%5c, c, a/b/",
        "/%5Cb, $root, /b",
        "/c/%C3%A9, c, \u00E9",
        "/b, $root, b",
        "/c/, c, ''",
        "/, '', ''"
    })
    void a_path_is_decoded_once(String path, String container, String blob) {
        assertThat(BlobPath.of(path, false)).isEqualTo(new BlobPath(container, blob));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/c/", "//b", "//"})
    void a_path_without_a_container_or_without_a_blob_names_no_blob(String path) {
        assertThat(errorOf(() -> BlobPath.of(path, false).blob(ACCOUNT))).isEqualTo(StorageError.INVALID_URI);
    }

    @Test
    void a_path_of_a_blob_names_no_container() {
        assertThat(errorOf(() -> BlobPath.of("/c/b", true).containerAlone())).isEqualTo(StorageError.INVALID_URI);
    }

    @Test
    void a_path_of_one_segment_is_a_container_where_the_query_says_so() {
        assertThat(BlobPath.of("/c", true)).isEqualTo(new BlobPath("c", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/c/%", "/c/%2", "/c/%zz", "/c/%ff", "/c/%C3", "/c/%ED%A0%80"})
    void a_path_that_is_no_text_is_refused(String path) {
        assertThat(errorOf(() -> BlobPath.of(path, false))).isEqualTo(StorageError.REQUEST_URL_FAILED_TO_PARSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "\u00E9\uD83D\uDE00", "a\nb", "\uFFFF", ""})
    void a_marker_says_where_to_go_on(String name) {
        for (String row : new String[] {"", "b", "2026-07-31T18:00:00.1234567Z"}) {
            Cursor cursor = new Cursor(name, row);
            String marker = ContainerHandlers.encodeMarker(cursor);
            assertThat(marker).matches("2![A-Za-z0-9_-]*");
            assertThat(ContainerHandlers.decodeMarker(marker)).isEqualTo(cursor);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "2", "2!", "2!*", "2!YWJj", "1!YQo", "2!YQ=o", " 2!YQo"})
    void what_no_listing_gave_is_no_marker(String marker) {
        assertThat(errorOf(() -> ContainerHandlers.decodeMarker(marker)))
                .isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:10000/devstoreaccount1/c/b",
                "HTTP://127.0.0.1:10000/devstoreaccount1/c/b",
                "http://localhost:10000/devstoreaccount1/c/b?sig=x",
                "https://[::1]:10000/devstoreaccount1/c/b"
            })
    void a_source_is_an_address_of_this_server(String url) {
        RequestAddress address = CopySources.address(url, HOST, Accounts.DEVELOPMENT);
        assertThat(address.account()).isEqualTo(ACCOUNT);
        assertThat(address.rawResource()).isEqualTo("/c/b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/devstoreaccount1/c/b",
                "http://127.0.0.1:10001/devstoreaccount1/c/b",
                "http://127.0.0.1/devstoreaccount1/c/b",
                "http://127.0.0.1:10000@evil.example/devstoreaccount1/c/b",
                "http://evil.example?@127.0.0.1:10000/devstoreaccount1/c/b",
                "http://evil.example#127.0.0.1:10000/devstoreaccount1/c/b",
                "http://evil.example\\@127.0.0.1:10000/devstoreaccount1/c/b",
                "http://127.0.0.1.evil.example:10000/devstoreaccount1/c/b",
                "http:///127.0.0.1:10000/devstoreaccount1/c/b",
                "http://"
            })
    void an_address_of_anybody_else_is_not_followed(String url) {
        assertThat(errorOf(() -> CopySources.address(url, HOST, Accounts.DEVELOPMENT)))
                .isEqualTo(StorageError.CANNOT_VERIFY_COPY_SOURCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/devstoreaccount1/c/b", "file:///etc/passwd", "ftp://127.0.0.1:10000/c/b", "//x"})
    void a_source_is_an_address_of_the_web(String url) {
        assertThat(errorOf(() -> CopySources.address(url, HOST, Accounts.DEVELOPMENT)))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }
}
