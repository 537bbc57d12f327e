package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibilityCursorTest {
    private final VisibilityCursor head = new VisibilityCursor(0);

    private void foundNothingBefore(long moment, long now) {
        head.look();
        head.nothingBefore(moment, now);
    }

    @Test
    void it_moves_to_where_the_first_message_was_found() {
        assertThat(head.look()).isZero();
        head.nothingBefore(70, 100);
        assertThat(head.look()).isEqualTo(70);
    }

    @Test
    void it_never_moves_past_now_whatever_comes_later() {
        foundNothingBefore(101, 100);
        assertThat(head.look()).isEqualTo(100);
    }

    @Test
    void what_is_written_behind_it_takes_it_back() {
        foundNothingBefore(101, 100);
        head.writing(50);
        head.written(50);
        assertThat(head.look()).isEqualTo(50);
    }

    @Test
    void what_is_being_written_while_somebody_looks_is_not_passed() {
        head.writing(40);
        head.look();
        head.writing(60);
        head.nothingBefore(101, 100);
        assertThat(head.from()).isEqualTo(40);
        head.written(40);
        head.written(60);
        foundNothingBefore(101, 100);
        assertThat(head.look()).isEqualTo(100);
    }

    @Test
    void what_was_written_during_a_look_is_not_passed_either() {
        head.look();
        head.writing(60);
        head.written(60);
        head.nothingBefore(101, 100);
        assertThat(head.look()).isEqualTo(60);
    }

    @Test
    void two_that_become_visible_together_are_both_waited_for() {
        head.writing(40);
        head.writing(40);
        head.written(40);
        foundNothingBefore(101, 100);
        assertThat(head.from()).isEqualTo(40);
    }

    @Test
    void it_stays_behind_what_others_may_write() {
        VisibilityCursor shared = new VisibilityCursor(10);
        shared.look();
        shared.nothingBefore(101, 100);
        assertThat(shared.look()).isEqualTo(90);
    }
}
