package dev.trestle.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataHeadersTest {
    private static Map.Entry<String, String> header(String name, String value) {
        return Map.entry(name, value);
    }

    private static void assertRefused(StorageError error, List<Map.Entry<String, String>> headers) {
        assertThatThrownBy(() -> MetadataHeaders.read(headers))
                .asInstanceOf(type(StorageException.class))
                .extracting(StorageException::error)
                .isEqualTo(error);
    }

    @Test
    void headers_of_the_prefix_are_metadata_and_others_are_not() {
        assertThat(MetadataHeaders.read(List.of(
                        header("Host", "127.0.0.1"),
                        header("x-ms-meta-Owner", "hr"),
                        header("X-Ms-Meta-_b2", ""),
                        header("x-ms-metal", "no"))))
                .isEqualTo(Map.of("Owner", "hr", "_b2", ""));
        assertThat(MetadataHeaders.read(List.of())).isEmpty();
    }

    @Test
    void blanks_around_a_value_are_none_of_it() {
        assertThat(MetadataHeaders.read(List.of(header("x-ms-meta-a", "  two words \t"))))
                .isEqualTo(Map.of("a", "two words"));
    }

    @Test
    void a_name_is_not_empty() {
        assertRefused(StorageError.EMPTY_METADATA_KEY, List.of(header("x-ms-meta-", "x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", "a-b", "a.b", "a b", "\u00E9", "a\u0661", "$", "@a"})
    void a_name_is_an_identifier(String name) {
        assertRefused(StorageError.INVALID_METADATA, List.of(header("x-ms-meta-" + name, "x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00E9", "a\u0000b", "a\u007Fb", "a\tb"})
    void a_value_is_printable_ascii(String value) {
        assertRefused(StorageError.INVALID_METADATA, List.of(header("x-ms-meta-a", value)));
    }

    @Test
    void a_name_comes_once_whatever_its_case() {
        assertRefused(StorageError.INVALID_METADATA, List.of(header("x-ms-meta-a", "x"), header("x-ms-meta-a", "x")));
        assertRefused(StorageError.INVALID_METADATA, List.of(header("x-ms-meta-a", "x"), header("x-ms-meta-A", "y")));
    }

    @Test
    void names_and_values_together_have_a_limit() {
        String half = "x".repeat(Limits.METADATA_BYTES_MAX / 2 - 1);
        List<Map.Entry<String, String>> most = List.of(header("x-ms-meta-a", half), header("x-ms-meta-b", half));
        assertThat(MetadataHeaders.read(most)).hasSize(2);
        assertRefused(
                StorageError.METADATA_TOO_LARGE,
                List.of(header("x-ms-meta-a", half), header("x-ms-meta-b", half + "x")));
    }

    @Test
    void metadata_are_written_in_order() {
        Response response = new Response(200);
        MetadataHeaders.write(Map.of("b", "2", "Owner", "hr", "a", "1"), response);
        assertThat(response.headers())
                .containsExactly(
                        header("x-ms-meta-Owner", "hr"), header("x-ms-meta-a", "1"), header("x-ms-meta-b", "2"));
    }
}
