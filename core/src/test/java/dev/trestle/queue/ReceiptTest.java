package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.Ticks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptTest {
    @Test
    void a_receipt_is_read_from_its_own_text() {
        for (Receipt receipt : List.of(
                new Receipt(0, 0, 0), new Receipt(1, Ticks.MAX, -1), new Receipt(Ticks.MAX, 2, Long.MIN_VALUE))) {
            assertThat(Receipt.parse(receipt.toString())).contains(receipt);
            assertThat(Receipt.isWellFormed(receipt.toString())).isTrue();
        }
    }

    @Test
    void its_text_needs_no_escapes_in_an_address() {
        assertThat(new Receipt(Ticks.MAX, Ticks.MAX, -1).toString()).matches("[0-9a-z]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AgAAAAMAAAAAAAAAShvCCZcr1QE=", "AgAAAAMAAAAAAAAA", "abcd", "+/+/"})
    void a_receipt_of_another_make_is_one_that_was_not_given(String text) {
        assertThat(Receipt.isWellFormed(text)).isTrue();
        assertThat(Receipt.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "a b", "AgA=A", "\u00E9\u00E9\u00E9\u00E9", "===="})
    void what_is_no_base64_is_no_receipt(String text) {
        assertThat(Receipt.isWellFormed(text)).isFalse();
        assertThat(Receipt.parse(text)).isEmpty();
    }

    @Test
    void only_the_text_as_it_was_given_is_read() {
        String text = new Receipt(10, 11, 12).toString();
        assertThat(Receipt.parse(text.substring(1))).isEmpty();
        assertThat(Receipt.parse(text + "0")).isEmpty();
        assertThat(Receipt.parse(text.replace('a', 'A'))).isEmpty();
        assertThat(Receipt.parse(text.replace('a', 'g'))).isEmpty();
    }
}
