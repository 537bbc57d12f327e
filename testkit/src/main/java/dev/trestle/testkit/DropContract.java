package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.CommitResult;
import dev.trestle.engine.CommitResult.Reason;
import dev.trestle.engine.CommitResult.Refused;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dropping a collection. */
public abstract class DropContract extends EngineContract {
    protected DropContract(Opener opener) {
        super(opener);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 25})
    void a_dropped_collection_has_no_rows_and_its_neighbours_keep_theirs(int hundreds) {
        Key before = Key.of(COLLECTION, "\uFFFF", "\uFFFF");
        Key after = Key.of(NEXT_COLLECTION + 1, "", "");
        committed(put(before, row()));
        committed(put(after, row()));
        fill(NEXT_COLLECTION, hundreds);
        await(engine.drop(NEXT_COLLECTION));
        assertThat(scan(Key.collectionRange(NEXT_COLLECTION)).size()).isZero();
        assertThat(read(before)).isPresent();
        assertThat(read(after)).isPresent();
        assertThat(scan(Key.collectionRange(COLLECTION)).size()).isEqualTo(1);
        assertThat(scan(Key.collectionRange(NEXT_COLLECTION + 1)).size()).isEqualTo(1);
    }

    private void fill(long collection, int hundreds) {
        List<CompletionStage<CommitResult>> answers = new ArrayList<>();
        for (int i = 0; i < hundreds; i++) {
            Write[] writes = new Write[100];
            for (int j = 0; j < writes.length; j++) {
                writes[j] = put(Key.of(collection, "p" + i, "r" + j), row("N", j));
            }
            answers.add(engine.commit(commitOf(writes)));
        }
        answers.forEach(EngineContract::await);
    }

    @Test
    void commits_are_refused_from_the_moment_of_the_call() {
        committed(put(key("p", "r"), row()));
        CompletionStage<Void> dropped = engine.drop(COLLECTION);
        assertThat(commit(put(key("p", "r"), row()), delete(key("p", "s"))))
                .isEqualTo(new Refused(0, Reason.COLLECTION_DROPPED));
        await(dropped);
        assertThat(commit(put(key("p", "r"), row()))).isEqualTo(new Refused(0, Reason.COLLECTION_DROPPED));
        assertThat(read(key("p", "r"))).isEmpty();
    }

    @Test
    void releasing_a_dropped_collection_leaves_it_empty_and_others_refused() {
        committed(put(key("p", "r"), row()));
        await(engine.drop(COLLECTION));
        await(engine.drop(NEXT_COLLECTION));
        engine.release(COLLECTION);
        engine.release(NEXT_COLLECTION + 1);
        assertThat(scan(wholeCollection()).size()).isZero();
        assertThat(commit(put(Key.of(NEXT_COLLECTION, "p", "r"), row())))
                .isEqualTo(new Refused(0, Reason.COLLECTION_DROPPED));
    }

    @Test
    void a_collection_that_never_had_rows_can_be_dropped() {
        await(engine.drop(COLLECTION));
        assertThat(commit(put(key("p", "r"), row()))).isEqualTo(new Refused(0, Reason.COLLECTION_DROPPED));
    }

    @Test
    void dropping_twice_is_dropping_once() {
        committed(put(key("p", "r"), row()));
        CompletionStage<Void> first = engine.drop(COLLECTION);
        CompletionStage<Void> second = engine.drop(COLLECTION);
        await(first);
        await(second);
        await(engine.drop(COLLECTION));
        assertThat(scan(wholeCollection()).size()).isZero();
    }

    @Test
    void commits_under_way_when_their_collection_is_dropped_leave_no_row() {
        List<CompletableFuture<CommitResult>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(engine.commit(commitOf(put(key("p", "r" + i), row()))).toCompletableFuture());
        }
        CompletionStage<Void> dropped = engine.drop(COLLECTION);
        answers.forEach(EngineContract::await);
        await(dropped);
        assertThat(scan(wholeCollection()).size()).isZero();
    }

    @Test
    void a_number_that_no_collection_can_have_is_a_bad_argument() {
        assertThatThrownBy(() -> engine.drop(1)).isInstanceOf(IllegalArgumentException.class);
    }
}
