package dev.trestle.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.BatchReader;
import dev.trestle.server.codec.BatchReader.Batch;
import dev.trestle.server.codec.BatchReader.Part;
import java.nio.charset.StandardCharsets;

/**
 * Any multipart body is refused, or has parts within its bounds; and an accepted body cannot be cut so that less
 * of it is accepted. The first line of an input is the content type.
 */
class BatchFuzzTest {
    private static final int CUT_BYTES_MAX = 2048;

    @FuzzTest
    void any_body_is_a_batch_or_refused(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        String type = new String(input, 0, end, StandardCharsets.UTF_8);
        try {
            Batch batch = BatchReader.read(type, input, end, input.length - end);
            for (Part part : batch.parts()) {
                assertThat(part.method()).isNotEmpty();
                assertThat(part.bodyLength()).isNotNegative();
                assertThat(part.bodyOffset()).isBetween(end, input.length - part.bodyLength());
            }
            for (int length = 0; length < Math.min(input.length - end, CUT_BYTES_MAX); length++) {
                assertWholeOrRefused(batch, type, input, end, length);
            }
        } catch (StorageException e) {
            assertThat(e.error().status()).isIn(400, 415);
        }
    }

    private static void assertWholeOrRefused(Batch whole, String type, byte[] input, int start, int length) {
        try {
            assertThat(BatchReader.read(type, input, start, length)).isEqualTo(whole);
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_INPUT);
        }
    }
}
