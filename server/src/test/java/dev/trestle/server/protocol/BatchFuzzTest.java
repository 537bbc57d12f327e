package dev.trestle.server.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.StorageException;
import dev.trestle.server.protocol.BatchReader.Part;
import java.nio.charset.StandardCharsets;

/** Any multipart body is refused, or has parts that lie within it. The first line of an input is the content type. */
class BatchFuzzTest {
    @FuzzTest
    void any_body_is_a_batch_or_refused(byte[] input) {
        int end = 0;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        String type = new String(input, 0, end, StandardCharsets.UTF_8);
        try {
            for (Part part :
                    BatchReader.read(type, input, end, input.length - end).parts()) {
                assertThat(part.method()).isNotEmpty();
                assertThat(part.bodyLength()).isNotNegative();
                assertThat(part.bodyOffset()).isBetween(end, input.length - part.bodyLength());
            }
        } catch (StorageException e) {
            assertThat(e.error().status()).isIn(400, 415);
        }
    }
}
