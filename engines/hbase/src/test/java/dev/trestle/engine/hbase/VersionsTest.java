package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.Ticks;
import dev.trestle.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class VersionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final ManualClock clock = new ManualClock(NOW);
    private final List<Long> kept = new ArrayList<>();

    private CompletionStage<Void> keep(long mark) {
        kept.add(mark);
        return CompletableFuture.completedFuture(null);
    }

    private Versions prepared(long mark) {
        Versions versions = new Versions(clock, mark, this::keep);
        assertThat(versions.prepare()).isCompleted();
        return versions;
    }

    private long lastKept() {
        return kept.get(kept.size() - 1);
    }

    @Test
    void a_version_is_the_time() {
        Versions versions = prepared(0);
        assertThat(versions.next()).isEqualTo(Ticks.of(NOW));
        clock.move(Duration.ofMillis(3));
        assertThat(versions.next()).isEqualTo(Ticks.of(NOW) + 30_000);
    }

    @Test
    void versions_grow_while_the_clock_stands_still_or_goes_back() {
        Versions versions = prepared(0);
        long first = versions.next();
        assertThat(versions.next()).isEqualTo(first + 1);
        clock.move(Duration.ofHours(-1));
        assertThat(versions.next()).isEqualTo(first + 2);
    }

    @Test
    void versions_that_were_not_used_are_given_again() {
        Versions versions = prepared(0);
        versions.next();
        clock.move(Duration.ofSeconds(-1));
        Versions.Point before = versions.now();
        long second = versions.next();
        versions.next();
        versions.takeBack(before, 2);
        assertThat(versions.next()).isEqualTo(second);
    }

    @Test
    void versions_are_not_given_again_once_others_were_given_or_seen() {
        Versions versions = prepared(0);
        Versions.Point before = versions.now();
        versions.next();
        long ofAnother = versions.next();
        versions.takeBack(before, 1);
        assertThat(versions.next()).isGreaterThan(ofAnother);

        before = versions.now();
        long seen = versions.next() + 5;
        versions.seen(seen);
        versions.takeBack(before, 1);
        assertThat(versions.next()).isGreaterThan(seen);
    }

    @Test
    void versions_go_on_above_the_mark_that_was_kept_when_the_clock_is_behind_it() {
        long mark = Ticks.of(NOW.plusSeconds(3600));
        assertThat(prepared(mark).next()).isEqualTo(mark + 1);
    }

    @Test
    void nothing_can_be_given_before_a_mark_is_kept() {
        CompletableFuture<Void> keeping = new CompletableFuture<>();
        Versions versions = new Versions(clock, 0, mark -> keeping);
        CompletionStage<Void> ready = versions.prepare();
        assertThat(ready).isNotCompleted();
        keeping.complete(null);
        assertThat(ready).isCompleted();
    }

    @Test
    void a_mark_that_could_not_be_kept_fails_what_waits_for_it_and_is_tried_again() {
        CompletableFuture<Void> first = new CompletableFuture<>();
        List<CompletionStage<Void>> answers = List.of(first, CompletableFuture.completedFuture(null));
        Versions versions = new Versions(clock, 0, mark -> {
            kept.add(mark);
            return answers.get(kept.size() - 1);
        });
        CompletionStage<Void> ready = versions.prepare();
        first.completeExceptionally(new IllegalStateException("no answer"));
        assertThat(ready).isCompletedExceptionally();
        assertThat(versions.prepare()).isCompleted();
        assertThat(kept).hasSize(2);
    }

    @Test
    void a_mark_is_kept_once_in_a_while_and_not_for_each_commit() {
        Versions versions = prepared(0);
        for (int i = 0; i < 100; i++) {
            clock.move(Duration.ofMillis(100));
            assertThat(versions.prepare()).isCompleted();
            versions.next();
        }
        assertThat(kept).hasSizeBetween(5, 12);
    }

    @Test
    void the_old_mark_serves_while_the_next_is_being_kept() {
        CompletableFuture<Void> second = new CompletableFuture<>();
        Versions versions = new Versions(clock, 0, mark -> {
            kept.add(mark);
            return kept.size() == 1 ? CompletableFuture.completedFuture(null) : second;
        });
        assertThat(versions.prepare()).isCompleted();
        clock.move(Duration.ofMillis(1200));
        assertThat(versions.prepare()).isCompleted();
        assertThat(kept).hasSize(2);
        clock.move(Duration.ofMillis(800));
        CompletionStage<Void> late = versions.prepare();
        assertThat(late).isNotCompleted();
        assertThat(kept).as("one is under way already").hasSize(2);
        second.complete(null);
        assertThat(late).isCompleted();
    }

    @Test
    void no_version_reaches_the_mark_however_late_and_often_it_is_asked_for() {
        Versions versions = prepared(0);
        clock.move(Duration.ofHours(1));
        for (int i = 0; i < 1000; i++) {
            assertThat(versions.next()).isLessThan(lastKept());
        }
    }

    @Test
    void no_version_reaches_the_mark_while_the_next_one_takes_its_time() {
        Versions versions = new Versions(clock, 0, mark -> {
            kept.add(mark);
            return kept.size() == 1 ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        });
        assertThat(versions.prepare()).isCompleted();
        long mark = lastKept();
        while (versions.prepare().toCompletableFuture().isDone()) {
            for (int i = 0; i < 200; i++) {
                assertThat(versions.next()).isLessThan(mark);
            }
            clock.move(Duration.ofNanos(77_700));
        }
        assertThat(clock.instant()).isAfter(NOW.plusSeconds(1));
    }

    @Test
    void what_another_front_end_gave_is_outdone_and_the_mark_raised_for_it() {
        Versions versions = prepared(0);
        long theirs = Ticks.of(NOW.plusSeconds(3600));
        versions.seen(theirs);
        assertThat(versions.prepare()).isCompleted();
        assertThat(versions.next()).isEqualTo(theirs + 1).isLessThan(lastKept());
        versions.seen(5);
        assertThat(versions.next()).isEqualTo(theirs + 2);
    }

    @Test
    void at_the_end_the_mark_comes_down_to_the_last_that_was_given() {
        Versions versions = prepared(0);
        long last = versions.next();
        assertThat(versions.finish()).isCompleted();
        assertThat(lastKept()).isEqualTo(last);
        clock.move(Duration.ofHours(-1));
        assertThat(prepared(lastKept()).next()).isEqualTo(last + 1);
    }
}
