package dev.trestle.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {
    private long nanos;

    @Test
    void a_new_bucket_gives_what_a_second_allows_and_no_more() {
        TokenBuckets<String> buckets = buckets(3, 10);

        assertThat(taken(buckets, "a", 10)).isEqualTo(3);
    }

    @Test
    void tokens_come_back_at_the_rate_and_never_above_a_second_of_them() {
        TokenBuckets<String> buckets = buckets(10, 10);
        taken(buckets, "a", 10);

        pass(250);
        assertThat(taken(buckets, "a", 10)).isEqualTo(2);
        pass(50);
        assertThat(taken(buckets, "a", 10)).as("the half left over counts").isEqualTo(1);
        pass(60_000);
        assertThat(taken(buckets, "a", 100)).isEqualTo(10);
    }

    @Test
    void keys_do_not_share() {
        TokenBuckets<String> buckets = buckets(1, 10);

        assertThat(buckets.take("a", 1)).isTrue();
        assertThat(buckets.take("a", 1)).isFalse();
        assertThat(buckets.take("b", 1)).isTrue();
    }

    @Test
    void what_is_refused_costs_nothing() {
        TokenBuckets<String> buckets = buckets(10, 10);
        buckets.take("a", 8);

        assertThat(buckets.take("a", 5)).isFalse();
        assertThat(buckets.take("a", 2)).isTrue();
    }

    @Test
    void more_than_a_bucket_holds_is_taken_from_a_full_one_and_owed() {
        TokenBuckets<String> buckets = buckets(10, 10);

        assertThat(buckets.take("a", 100)).isTrue();
        pass(9_000);
        assertThat(buckets.take("a", 1)).isFalse();
        pass(100);
        assertThat(buckets.take("a", 1)).isTrue();
    }

    @Test
    void only_so_many_buckets_are_kept_and_the_least_used_goes_first() {
        TokenBuckets<String> buckets = buckets(1, 2);
        buckets.take("a", 1);
        buckets.take("b", 1);
        buckets.take("a", 1);
        buckets.take("c", 1);

        assertThat(buckets.size()).isEqualTo(2);
        assertThat(buckets.take("a", 1)).as("still empty").isFalse();
        assertThat(buckets.take("b", 1)).as("forgotten, hence full").isTrue();
    }

    private TokenBuckets<String> buckets(int rate, int bucketsMax) {
        return new TokenBuckets<>(rate, bucketsMax, () -> nanos);
    }

    private void pass(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static int taken(TokenBuckets<String> buckets, String key, int times) {
        int taken = 0;
        for (int i = 0; i < times; i++) {
            taken += buckets.take(key, 1) ? 1 : 0;
        }
        return taken;
    }
}
