package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Any text is a query, a condition or a set of tags, or it is refused. */
class TagFuzzTest {
    @FuzzTest
    void any_text_is_a_query_or_refused(byte[] input) {
        try {
            assertThat(TagParser.query(new String(input, StandardCharsets.UTF_8), false)
                            .tests())
                    .isNotEmpty();
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
    }

    @FuzzTest
    void any_text_is_a_condition_or_refused(byte[] input) {
        try {
            TagParser.condition("x-ms-if-tags", new String(input, StandardCharsets.UTF_8))
                    .matches(Map.of("k", "v"));
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_HEADER_VALUE);
        }
    }

    @FuzzTest
    void any_document_is_a_set_of_tags_or_refused(byte[] input) {
        try {
            assertThat(TagXml.read(input, 0, input.length)).hasSizeLessThanOrEqualTo(Limits.TAGS_MAX);
        } catch (StorageException e) {
            assertThat(e.error())
                    .isIn(
                            StorageError.INVALID_XML_DOCUMENT,
                            StorageError.INVALID_TAG,
                            StorageError.EMPTY_TAG_NAME,
                            StorageError.TAGS_TOO_LARGE,
                            StorageError.DUPLICATE_TAG_NAMES);
        }
    }
}
