package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The tables of "Specifying conditional headers for Blob service operations". */
class ConditionsTest {
    private static final long SECOND = 1_000_000 * Ticks.PER_SECOND;
    private static final long MODIFIED = SECOND + 77;
    private static final String TAG = BlobETag.format(MODIFIED);
    private static final String OTHER = BlobETag.format(MODIFIED + 1);
    private static final OptionalLong NEVER = OptionalLong.empty();
    private static final OptionalLong BEFORE = OptionalLong.of(SECOND - Ticks.PER_SECOND);
    private static final OptionalLong THEN = OptionalLong.of(SECOND);

    private static Conditions match(String... tags) {
        return new Conditions(List.of(tags), List.of(), NEVER, NEVER);
    }

    private static Conditions noneMatch(String... tags) {
        return new Conditions(List.of(), List.of(tags), NEVER, NEVER);
    }

    private static Optional<StorageError> refusal(Runnable check) {
        try {
            check.run();
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.error());
        }
    }

    private static Optional<StorageError> read(Conditions conditions) {
        return refusal(() -> conditions.checkRead(MODIFIED));
    }

    private static Optional<StorageError> write(Conditions conditions) {
        return refusal(() -> conditions.checkWrite(MODIFIED, StorageError.BLOB_ALREADY_EXISTS));
    }

    @Test
    void single_conditions_of_readers() {
        assertThat(read(Conditions.NONE)).isEmpty();
        assertThat(read(match(TAG))).isEmpty();
        assertThat(read(match(Conditions.ANY))).isEmpty();
        assertThat(read(match(OTHER))).contains(StorageError.CONDITION_NOT_MET);
        assertThat(read(noneMatch(OTHER))).isEmpty();
        assertThat(read(noneMatch(TAG))).contains(StorageError.NOT_MODIFIED);
        assertThat(read(noneMatch(Conditions.ANY))).contains(StorageError.UNSATISFIABLE_CONDITION);
        assertThat(read(new Conditions(List.of(), List.of(), BEFORE, NEVER))).isEmpty();
        assertThat(read(new Conditions(List.of(), List.of(), THEN, NEVER))).contains(StorageError.NOT_MODIFIED);
        assertThat(read(new Conditions(List.of(), List.of(), NEVER, THEN))).isEmpty();
        assertThat(read(new Conditions(List.of(), List.of(), NEVER, BEFORE))).contains(StorageError.CONDITION_NOT_MET);
    }

    @Test
    void readers_name_several_etags() {
        assertThat(read(match(OTHER, TAG))).isEmpty();
        assertThat(read(noneMatch(OTHER, TAG))).contains(StorageError.NOT_MODIFIED);
    }

    @Test
    void readers_combine_conditions() {
        assertThat(read(new Conditions(List.of(TAG), List.of(), NEVER, BEFORE)))
                .contains(StorageError.CONDITION_NOT_MET);
        assertThat(read(new Conditions(List.of(OTHER), List.of(OTHER), BEFORE, THEN)))
                .contains(StorageError.CONDITION_NOT_MET);
        assertThat(read(new Conditions(List.of(), List.of(TAG), BEFORE, NEVER))).isEmpty();
        assertThat(read(new Conditions(List.of(), List.of(OTHER), THEN, NEVER))).isEmpty();
        assertThat(read(new Conditions(List.of(), List.of(TAG), THEN, NEVER))).contains(StorageError.NOT_MODIFIED);
        assertThat(read(new Conditions(List.of(TAG), List.of(OTHER), NEVER, THEN)))
                .isEmpty();
    }

    @Test
    void single_conditions_of_writers() {
        assertThat(write(Conditions.NONE)).isEmpty();
        assertThat(write(match(TAG))).isEmpty();
        assertThat(write(match(Conditions.ANY))).isEmpty();
        assertThat(write(match(OTHER))).contains(StorageError.CONDITION_NOT_MET);
        assertThat(write(noneMatch(OTHER))).isEmpty();
        assertThat(write(noneMatch(TAG))).contains(StorageError.CONDITION_NOT_MET);
        assertThat(write(noneMatch(Conditions.ANY))).contains(StorageError.BLOB_ALREADY_EXISTS);
        assertThat(write(new Conditions(List.of(), List.of(), BEFORE, NEVER))).isEmpty();
        assertThat(write(new Conditions(List.of(), List.of(), THEN, NEVER))).contains(StorageError.CONDITION_NOT_MET);
        assertThat(write(new Conditions(List.of(), List.of(), NEVER, THEN))).isEmpty();
        assertThat(write(new Conditions(List.of(), List.of(), NEVER, BEFORE))).contains(StorageError.CONDITION_NOT_MET);
    }

    @Test
    void of_a_writers_pair_the_etag_decides() {
        assertThat(write(new Conditions(List.of(TAG), List.of(), NEVER, BEFORE)))
                .isEmpty();
        assertThat(write(new Conditions(List.of(OTHER), List.of(), NEVER, THEN)))
                .contains(StorageError.CONDITION_NOT_MET);
        assertThat(write(new Conditions(List.of(), List.of(OTHER), THEN, NEVER)))
                .isEmpty();
        assertThat(write(new Conditions(List.of(), List.of(TAG), BEFORE, NEVER)))
                .contains(StorageError.CONDITION_NOT_MET);
    }

    @Test
    void what_is_not_there_matches_nothing() {
        assertThat(refusal(match(TAG)::checkAbsent)).contains(StorageError.CONDITION_NOT_MET);
        assertThat(refusal(match(Conditions.ANY)::checkAbsent)).contains(StorageError.CONDITION_NOT_MET);
        assertThat(refusal(noneMatch(Conditions.ANY)::checkAbsent)).isEmpty();
        assertThat(refusal(new Conditions(List.of(), List.of(), THEN, THEN)::checkAbsent))
                .isEmpty();
    }
}
