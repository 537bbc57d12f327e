package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.Lease.State;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final UUID MINE = new UUID(1, 1);
    private static final UUID THEIRS = new UUID(2, 2);
    private static final long NOW = 1_000_000 * Ticks.PER_SECOND;

    private final Lease fixed = Lease.NONE.acquire(NOW, 30, Optional.of(MINE), THEIRS);
    private final Lease infinite = Lease.NONE.acquire(NOW, Lease.INFINITE, Optional.of(MINE), THEIRS);

    private static long in(long seconds) {
        return NOW + seconds * Ticks.PER_SECOND;
    }

    private static StorageError errorOf(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run).error();
    }

    @Test
    void states_follow_from_the_time() {
        assertThat(Lease.NONE.state(NOW)).isEqualTo(State.AVAILABLE);
        assertThat(fixed.state(in(29))).isEqualTo(State.LEASED);
        assertThat(fixed.state(in(30))).isEqualTo(State.EXPIRED);
        assertThat(infinite.state(in(1_000_000_000))).isEqualTo(State.LEASED);
        Lease breaking = fixed.breakOff(NOW, Optional.of(10));
        assertThat(breaking.state(in(9))).isEqualTo(State.BREAKING);
        assertThat(breaking.state(in(10))).isEqualTo(State.BROKEN);
    }

    @Test
    void a_lease_without_a_proposed_id_has_a_fresh_one() {
        assertThat(Lease.NONE.acquire(NOW, 15, Optional.empty(), THEIRS).id()).isEqualTo(THEIRS.toString());
    }

    @Test
    void breaking_leaves_the_holder_what_was_asked_for_and_never_more_than_it_had() {
        assertThat(fixed.breakOff(in(10), Optional.empty()).secondsLeft(in(10))).isEqualTo(20);
        assertThat(fixed.breakOff(in(10), Optional.of(60)).secondsLeft(in(10))).isEqualTo(20);
        assertThat(fixed.breakOff(in(10), Optional.of(5)).secondsLeft(in(10))).isEqualTo(5);
        assertThat(infinite.breakOff(NOW, Optional.empty()).secondsLeft(NOW)).isZero();
        assertThat(infinite.breakOff(NOW, Optional.of(60)).secondsLeft(NOW)).isEqualTo(60);
        Lease breaking = infinite.breakOff(NOW, Optional.of(60));
        assertThat(breaking.breakOff(NOW, Optional.of(20)).secondsLeft(NOW)).isEqualTo(20);
        assertThat(breaking.breakOff(NOW, Optional.of(60)).secondsLeft(in(5))).isEqualTo(55);
        assertThat(breaking.breakOff(in(61), Optional.of(60)).secondsLeft(in(61)))
                .isZero();
        assertThat(fixed.breakOff(in(31), Optional.of(60)).secondsLeft(in(31))).isZero();
    }

    @Test
    void a_second_that_has_begun_counts() {
        assertThat(fixed.breakOff(NOW, Optional.of(10)).secondsLeft(NOW + 1)).isEqualTo(10);
    }

    @Test
    void a_lease_that_is_over_ends_with_the_next_change() {
        assertThat(fixed.afterChange(in(10))).isEqualTo(fixed);
        assertThat(fixed.afterChange(in(31))).isEqualTo(Lease.NONE);
        assertThat(fixed.breakOff(NOW, Optional.of(0)).afterChange(NOW)).isEqualTo(Lease.NONE);
    }

    @Test
    void a_container_has_words_of_its_own() {
        assertThat(errorOf(() -> fixed.checkWrite(NOW, Optional.of(THEIRS), Lease.Codes.CONTAINER)))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_CONTAINER_OPERATION);
        assertThat(errorOf(() -> Lease.NONE.checkWrite(NOW, Optional.of(MINE), Lease.Codes.CONTAINER)))
                .isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_CONTAINER_OPERATION);
        assertThat(errorOf(() -> fixed.checkWrite(in(31), Optional.of(MINE), Lease.Codes.BLOB)))
                .isEqualTo(StorageError.LEASE_LOST);
    }

    @Test
    void a_lease_is_read_as_it_was_written() {
        for (Lease lease : new Lease[] {fixed, infinite, fixed.breakOff(NOW, Optional.of(3))}) {
            assertThat(Lease.ofText(lease.text())).isEqualTo(lease);
        }
    }
}
