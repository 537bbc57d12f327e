package dev.trestle.server.table;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.testkit.Gen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContinuationTokenTest {
    @ParameterizedTest
    @CsvSource({"Smith,1!8!U21pdGg-", "<.>,1!4!PC4*", "\u00FF\u00FF\u00FF,1!8!w7_Dv8O_", "'',1!0!"})
    void tokens_are_those_of_the_service(String text, String token) {
        assertThat(ContinuationToken.encode(text)).isEqualTo(token);
        assertThat(ContinuationToken.decode(token)).isEqualTo(text);
    }

    @Test
    void any_string_comes_back_from_a_token_safe_in_headers_and_urls() {
        Gen gen = new Gen(1);
        for (int i = 0; i < 10_000; i++) {
            String text = gen.chance(50) ? gen.keyText() : gen.text(30);
            String token = ContinuationToken.encode(text);
            assertThat(token).matches("[0-9A-Za-z!*_-]+");
            assertThat(ContinuationToken.decode(token)).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1!",
                "1!!",
                "1!8",
                "1!7!U21pdGg-",
                "1!8!U21pdGg=",
                "1!08!U21pdGg-",
                "2!8!U21pdGg-",
                "1!4!PC4+",
                "1!4!____",
                "1!3!PC4",
                "1!4!ww--",
                "1!-1!",
                "Smith",
                "1!4!PC4*x",
                "1!8!U21pdGh-",
                "1!4!4oI-",
                "1!4!8J*Y"
            })
    void anything_else_is_refused(String token) {
        assertThat(errorOf(() -> ContinuationToken.decode(token))).isEqualTo(StorageError.INVALID_INPUT);
    }
}
