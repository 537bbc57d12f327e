package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.blob.BlobLister;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.pipeline.RequestAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Whatever is sent to say which blob, which bytes of it or where to go on is understood or refused. */
class BlobAddressFuzzTest {
    private static final String HERE = "127.0.0.1:10000";

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }

    @FuzzTest
    void any_range_is_inside_the_blob_or_not_there(byte[] input) {
        Optional<RangeHeader> range = RangeHeader.parse(text(input));
        for (long length : new long[] {0, 1, 100, Long.MAX_VALUE}) {
            try {
                range.map(asked -> asked.of(length))
                        .ifPresent(found -> assertThat(found.from() >= 0
                                        && found.length() > 0
                                        && found.from() + found.length() <= length)
                                .isTrue());
            } catch (StorageException e) {
                assertThat(e.error()).isEqualTo(StorageError.INVALID_RANGE);
            }
        }
    }

    @FuzzTest
    void any_marker_is_a_place_or_refused(byte[] input) {
        try {
            BlobLister.Cursor cursor = ContainerHandlers.decodeMarker(text(input));
            assertThat(ContainerHandlers.decodeMarker(ContainerHandlers.encodeMarker(cursor)))
                    .isEqualTo(cursor);
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
    }

    @FuzzTest
    void any_source_of_a_copy_is_here_or_refused(byte[] input) {
        String url = text(input);
        try {
            RequestAddress address = CopySources.address(url, HERE, Accounts.DEVELOPMENT);
            assertThat(address.authority().toLowerCase(Locale.ROOT))
                    .matches("(127\\.0\\.0\\.1|localhost|\\[::1\\]):10000");
            try {
                // Other parsers must not read a different host from the same address.
                assertThat(new URI(url).getHost()).matches("(?i)127\\.0\\.0\\.1|localhost|\\[::1\\]");
            } catch (URISyntaxException e) {
                assertThat(url).isNotEmpty();
            }
        } catch (StorageException e) {
            assertThat(e.error().status()).isIn(400, 404, 403);
        }
    }

    @FuzzTest
    void any_path_names_a_blob_or_is_refused(byte[] input) {
        String raw = "/" + new String(input, StandardCharsets.ISO_8859_1);
        for (boolean container : new boolean[] {true, false}) {
            try {
                BlobPath path = BlobPath.of(raw, container);
                if (!path.container().isEmpty()) {
                    new ContainerName(path.container());
                }
                if (!path.blob().isEmpty()) {
                    assertThat(new BlobName(path.blob()).value()).doesNotContain("\u0000");
                }
            } catch (StorageException e) {
                assertThat(e.error().status()).isEqualTo(400);
            }
        }
    }
}
