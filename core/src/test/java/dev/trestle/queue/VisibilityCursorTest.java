package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibilityCursorTest {
    private final VisibilityCursor head = new VisibilityCursor(0);

    private void foundNothingBefore(long moment, long now) {
        head.beginScan();
        head.endScan(moment, now);
    }

    @Test
    void it_moves_to_where_the_first_message_was_found() {
        assertThat(head.beginScan()).isZero();
        head.endScan(70, 100);
        assertThat(head.beginScan()).isEqualTo(70);
    }

    @Test
    void it_never_moves_past_now_whatever_comes_later() {
        foundNothingBefore(101, 100);
        assertThat(head.beginScan()).isEqualTo(100);
    }

    @Test
    void what_is_written_behind_it_takes_it_back() {
        foundNothingBefore(101, 100);
        head.writing(50);
        head.written(50);
        assertThat(head.beginScan()).isEqualTo(50);
    }

    @Test
    void what_is_being_written_while_somebody_looks_is_not_passed() {
        head.writing(40);
        head.beginScan();
        head.writing(60);
        head.endScan(101, 100);
        assertThat(head.from()).isEqualTo(40);
        head.written(40);
        head.written(60);
        foundNothingBefore(101, 100);
        assertThat(head.beginScan()).isEqualTo(100);
    }

    @Test
    void what_was_written_during_a_look_is_not_passed_either() {
        head.beginScan();
        head.writing(60);
        head.written(60);
        head.endScan(101, 100);
        assertThat(head.beginScan()).isEqualTo(60);
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
        shared.beginScan();
        shared.endScan(101, 100);
        assertThat(shared.beginScan()).isEqualTo(90);
    }
}
