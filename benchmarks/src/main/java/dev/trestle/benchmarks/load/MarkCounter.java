package dev.trestle.benchmarks.load;

import java.nio.charset.StandardCharsets;

/**
 * Counts how often a mark occurs in bytes that arrive in chunks. It does not find overlapping occurrences, which the marks
 * in use cannot have.
 */
final class MarkCounter implements Connection.Body {
    private final byte[] mark;
    private int matched;
    private int count;

    MarkCounter(String mark) {
        this.mark = mark.getBytes(StandardCharsets.US_ASCII);
    }

    MarkCounter reset() {
        matched = 0;
        count = 0;
        return this;
    }

    int count() {
        return count;
    }

    @Override
    public void bytes(byte[] data, int from, int to) {
        byte first = mark[0];
        int state = matched;
        for (int i = from; i < to; i++) {
            byte octet = data[i];
            if (octet == mark[state]) {
                state++;
                if (state == mark.length) {
                    count++;
                    state = 0;
                }
            } else {
                state = octet == first ? 1 : 0;
            }
        }
        matched = state;
    }
}
