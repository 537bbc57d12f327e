package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Point reads, and guarantees of all calls. */
public abstract class ReadContract extends EngineContract {
    protected ReadContract(Opener opener) {
        super(opener);
    }

    @Test
    void a_row_that_was_never_written_is_absent() {
        assertThat(read(key("p", "r"))).isEmpty();
    }

    @Test
    void a_row_is_read_as_it_was_encoded_with_its_version() {
        byte[] row = row("Name", "x", "Age", 42);
        long version = committed(put(key("p", "r"), row.clone()));
        Rows.stamp(row, version);
        assertThat(read(key("p", "r"))).hasValue(row);
    }

    @Test
    void a_row_without_properties_is_a_row() {
        long version = committed(put(key("p", "r"), row()));
        assertThat(read(key("p", "r")).map(Rows::version)).hasValue(version);
    }

    @Test
    void a_large_row_is_read_whole() {
        RowBuilder builder = new RowBuilder();
        for (int i = 0; i < 15; i++) {
            builder.put("P" + i, new EdmValue.Text("x".repeat(64 * 1024)));
        }
        byte[] row = builder.build();
        long version = committed(put(key("p", "r"), row.clone()));
        Rows.stamp(row, version);
        assertThat(read(key("p", "r"))).hasValue(row);
    }

    @Test
    void keys_that_share_bytes_are_different_rows() {
        committed(put(key("a", "bc"), row("N", 1)));
        committed(put(key("ab", "c"), row("N", 2)));
        committed(put(key("", "abc"), row("N", 3)));
        assertThat(read(key("a", "bc")).map(EngineContract::properties))
                .hasValueSatisfying(row -> assertThat(row).containsValue(new EdmValue.Int32(1)));
        assertThat(read(key("", "abc")).map(EngineContract::properties))
                .hasValueSatisfying(row -> assertThat(row).containsValue(new EdmValue.Int32(3)));
        assertThat(read(key("abc", ""))).isEmpty();
        assertThat(read(key("a", "b"))).isEmpty();
    }

    @Test
    void rows_of_one_collection_are_not_seen_in_another() {
        committed(put(key("p", "r"), row()));
        assertThat(read(Key.of(NEXT_COLLECTION, "p", "r"))).isEmpty();
    }

    @Test
    void a_row_that_was_read_is_the_callers_to_change() {
        committed(put(key("p", "r"), row("N", 1)));
        byte[] first = read(key("p", "r")).orElseThrow();
        byte[] untouched = first.clone();
        first[first.length - 1]++;
        assertThat(read(key("p", "r"))).hasValue(untouched);
    }

    @Test
    void a_stage_may_be_followed_by_another_call_from_within() {
        CompletionStage<Boolean> found = engine.commit(commitOf(put(key("p", "r"), row())))
                .thenCompose(result -> engine.commit(commitOf(put(key("p", "s"), row()))))
                .thenCompose(result -> engine.scan(scanOf(wholeCollection(), Filter.ALL, NO_LIMITS)))
                .thenCompose(page -> engine.read(page.key(1)))
                .thenApply(row -> row.isPresent());
        assertThat(await(found)).isTrue();
    }

    @Test
    void after_close_every_call_answers_that_the_engine_is_unavailable() {
        engine.close();
        assertThat(failureOf(engine.read(key("p", "r"))).kind()).isEqualTo(EngineException.Kind.UNAVAILABLE);
        assertThat(failureOf(engine.scan(scanOf(wholeCollection(), Filter.ALL, NO_LIMITS)))
                        .kind())
                .isEqualTo(EngineException.Kind.UNAVAILABLE);
        assertThat(failureOf(engine.commit(commitOf(put(key("p", "r"), row())))).kind())
                .isEqualTo(EngineException.Kind.UNAVAILABLE);
        assertThat(failureOf(engine.drop(COLLECTION)).kind()).isEqualTo(EngineException.Kind.UNAVAILABLE);
    }

    @Test
    void closing_twice_is_closing_once() {
        engine.close();
        engine.close();
    }

    @Test
    void commits_under_way_when_the_engine_is_closed_are_all_answered() {
        CompletableFuture<?>[] answers = new CompletableFuture<?>[500];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = engine.commit(commitOf(put(key("p", "r" + i), row()))).toCompletableFuture();
        }
        engine.close();
        for (CompletableFuture<?> answer : answers) {
            assertThat(answer).isDone();
            assertThat(answer.handle((result, failure) ->
                            result instanceof CommitResult.Committed || failure instanceof EngineException))
                    .isCompletedWithValue(true);
        }
    }
}
