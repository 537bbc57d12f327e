package dev.trestle.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of containers and blobs. */
class BlobNamesTest {
    private static StorageError errorOf(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run).error();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "a-b-c", "123", "$root", "$logs", "$web", "$blobchangefeed"})
    void containers_have_lower_case_names_or_those_of_the_service(String name) {
        assertThat(new ContainerName(name).value()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Abc", "a--b", "-abc", "abc-", "a_b", "a.b", "$other", "$Root", "\u00E9\u00E9\u00E9"})
    void other_names_are_refused(String name) {
        assertThat(errorOf(() -> new ContainerName(name))).isEqualTo(StorageError.INVALID_RESOURCE_NAME);
    }

    @Test
    void container_names_have_3_to_63_characters() {
        new ContainerName("a".repeat(63));
        assertThat(errorOf(() -> new ContainerName("ab"))).isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
        assertThat(errorOf(() -> new ContainerName("a".repeat(64)))).isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "A b", "a/b/", "/", "..", "../../x", "con", "a\\b", "\uD83D\uDE00", "\uFFFE", "a?#%&+", "."
            })
    void blobs_may_have_almost_any_name(String name) {
        assertThat(new BlobName(name).value()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "a\nb", "\u007F", "\u0085", "\uD83D", "\uDE00a", "a\uDE00\uD83D"})
    void control_characters_and_halves_of_characters_are_refused(String name) {
        assertThat(errorOf(() -> new BlobName(name))).isEqualTo(StorageError.INVALID_RESOURCE_NAME);
    }

    @Test
    void blob_names_have_1_to_1024_characters_and_254_segments() {
        new BlobName("a".repeat(1024));
        new BlobName("/".repeat(253));
        assertThat(errorOf(() -> new BlobName(""))).isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
        assertThat(errorOf(() -> new BlobName("a".repeat(1025)))).isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
        assertThat(errorOf(() -> new BlobName("/".repeat(254)))).isEqualTo(StorageError.INVALID_RESOURCE_NAME);
    }
}
