package dev.trestle.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    @Test
    void an_account_over_its_limit_reads_the_sentence_of_the_service() {
        Throttle throttle = new Throttle(new RateLimits(OptionalInt.of(1), OptionalInt.empty()), () -> 0);
        throttle.request("one");

        assertThatThrownBy(() -> throttle.request("one")).isInstanceOfSatisfying(StorageException.class, refusal -> {
            assertThat(refusal.error()).isEqualTo(StorageError.SERVER_BUSY);
            assertThat(refusal.text()).isEqualTo("Operations per second is over the account limit.");
        });
        assertThatCode(() -> throttle.request("two")).doesNotThrowAnyException();
        assertThat(throttle.refusedByAccount()).isEqualTo(1);
        assertThat(throttle.refusedByPartition()).isZero();
    }

    @Test
    void partitions_of_the_same_key_in_two_tables_are_two() {
        Throttle throttle = new Throttle(new RateLimits(OptionalInt.empty(), OptionalInt.of(2)), () -> 0);
        throttle.entities(1, "p", 2);

        assertThatThrownBy(() -> throttle.entities(1, "p", 1)).isInstanceOf(StorageException.class);
        assertThatCode(() -> throttle.entities(2, "p", 1)).doesNotThrowAnyException();
        assertThatCode(() -> throttle.entities(1, "q", 1)).doesNotThrowAnyException();
        assertThat(throttle.refusedByPartition()).isEqualTo(1);
    }

    @Test
    void without_limits_nothing_is_refused() {
        Throttle throttle = new Throttle(RateLimits.NONE, () -> 0);

        assertThatCode(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        throttle.request("one");
                        throttle.entities(1, "p", 100);
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void a_rate_is_at_least_one() {
        assertThatThrownBy(() -> new RateLimits(OptionalInt.of(0), OptionalInt.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
