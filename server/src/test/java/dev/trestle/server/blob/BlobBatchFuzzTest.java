package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageException;
import dev.trestle.server.blob.BlobBatchReader.SubRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Any multipart body is refused, or has requests that would each fit a head of their own. The first line of an input is the
 * content type.
 */
class BlobBatchFuzzTest {
    @FuzzTest
    void any_body_is_a_batch_of_requests_or_refused(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        String type = new String(input, 0, end, StandardCharsets.ISO_8859_1).strip();
        try {
            List<SubRequest> requests = BlobBatchReader.read(type, input, end, input.length - end);
            assertThat(requests).hasSizeBetween(1, Limits.BLOB_BATCH_REQUESTS_MAX);
            for (SubRequest request : requests) {
                assertThat(request.method()).isNotEmpty();
                assertThat(request.target()).isNotEmpty().doesNotContain(" ");
                assertLine(request.method());
                assertLine(request.target());
                request.contentId().ifPresent(BlobBatchFuzzTest::assertLine);
                request.headers().forEach((name, value) -> {
                    assertThat(name).isNotEmpty();
                    assertLine(name);
                    assertLine(value);
                });
            }
        } catch (StorageException e) {
            assertThat(e.error().status()).isEqualTo(400);
        }
    }

    private static void assertLine(String text) {
        assertThat(text).doesNotContain("\r", "\n", "\0");
    }
}
