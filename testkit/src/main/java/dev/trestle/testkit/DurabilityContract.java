package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.CommitResult.Reason;
import dev.trestle.engine.CommitResult.Refused;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Data after an engine is closed and opened again. */
public abstract class DurabilityContract extends EngineContract {
    private final Key key = key("p", "r");

    protected DurabilityContract(Opener opener) {
        super(opener);
    }

    @Test
    void rows_are_there_with_their_versions() throws Exception {
        committed(put(key("p", "a"), row("N", 1)), put(key("p", "b"), row("N", 2)));
        committed(merge(key("p", "a"), row("M", 3)));
        committed(put(key("q", "c"), row()));
        committed(delete(key("q", "c")));
        List<byte[]> before =
                List.of(read(key("p", "a")).orElseThrow(), read(key("p", "b")).orElseThrow());
        reopen();
        assertThat(keys(scan(wholeCollection()))).containsExactly(key("p", "a"), key("p", "b"));
        assertThat(read(key("p", "a"))).hasValue(before.get(0));
        assertThat(read(key("p", "b"))).hasValue(before.get(1));
    }

    @Test
    void a_version_from_before_still_guards_its_row() throws Exception {
        long first = committed(put(key, row("N", 1)));
        long second = committed(put(key, row("N", 2)));
        reopen();
        assertThat(commit(new Write.Put(key, row(), Precondition.versionEquals(first))))
                .isEqualTo(new Refused(0, Reason.VERSION_DIFFERS));
        committed(new Write.Put(key, row(), Precondition.versionEquals(second)));
    }

    @Test
    void versions_grow_even_if_the_clock_went_backwards_meanwhile() throws Exception {
        long before = committed(put(key, row()));
        clock.move(Duration.ofDays(-365));
        reopen();
        assertThat(committed(put(key, row()))).isGreaterThan(before);
    }

    @Test
    void versions_grow_past_that_of_a_row_deleted_before() throws Exception {
        long put = committed(put(key, row()));
        committed(delete(key));
        clock.move(Duration.ofDays(-365));
        reopen();
        assertThat(committed(insert(key, row()))).isGreaterThan(put);
    }

    @Test
    void a_refused_commit_has_left_nothing() throws Exception {
        commit(put(key, row()), new Write.Delete(key("p", "s"), Precondition.PRESENT));
        reopen();
        assertThat(scan(wholeCollection()).size()).isZero();
    }

    @Test
    void rows_whose_drop_had_completed_stay_gone() throws Exception {
        for (int i = 0; i < 30; i++) {
            Write[] writes = new Write[100];
            for (int j = 0; j < writes.length; j++) {
                writes[j] = put(key("p" + i, "r" + j), row("N", j));
            }
            committed(writes);
        }
        Key other = Key.of(NEXT_COLLECTION, "p", "r");
        committed(put(other, row()));
        await(engine.drop(COLLECTION));
        reopen();
        assertThat(scan(wholeCollection()).size()).isZero();
        assertThat(read(other)).isPresent();
    }

    @Test
    void commits_nobody_waited_for_before_closing_are_there_if_they_were_acknowledged() throws Exception {
        var answer = engine.commit(commitOf(put(key, row())));
        engine.close();
        boolean acknowledged = !answer.toCompletableFuture().isCompletedExceptionally();
        reopen();
        assertThat(read(key).isPresent()).isEqualTo(acknowledged);
    }

    @Test
    void it_can_be_opened_many_times() throws Exception {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            long version = committed(put(key, row("N", i)));
            assertThat(version).isGreaterThan(last);
            last = version;
            reopen();
        }
        assertThat(read(key)).isPresent();
    }
}
