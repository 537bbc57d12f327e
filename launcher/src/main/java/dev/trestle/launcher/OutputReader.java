package dev.trestle.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reads the output of a child process, which would block on a full pipe otherwise. Keeps the first lines, which
 * hold the banner, and the last ones. Thread-safe.
 */
final class OutputReader extends Thread {
    private static final int FIRST_LINES_MAX = 500;

    private final BufferedReader in;
    private final Predicate<String> isReady;
    private final int lastLinesMax;
    private final List<String> first = new ArrayList<>();
    private final Deque<String> last = new ArrayDeque<>();
    private long dropped;
    private boolean ready;
    private boolean ended;

    OutputReader(String name, BufferedReader in, Predicate<String> isReady, int lastLinesMax) {
        super(name);
        setDaemon(true);
        this.in = in;
        this.isReady = isReady;
        this.lastLinesMax = lastLinesMax;
    }

    @Override
    public void run() {
        try (in) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("(cannot read the output: " + e.getMessage() + ")");
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        if (first.size() < FIRST_LINES_MAX) {
            first.add(line);
        } else {
            last.add(line);
            if (last.size() > lastLinesMax) {
                last.remove();
                dropped++;
            }
        }
        if (!ready && isReady.test(line)) {
            ready = true;
            notifyAll();
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /**
     * Waits for the line that tells that the process is ready; returns false if the output ended or the time is
     * over.
     */
    synchronized boolean awaitReady(long nanosMax) throws InterruptedException {
        long deadline = System.nanoTime() + nanosMax;
        while (!ready && !ended) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                break;
            }
            wait(millis);
        }
        return ready;
    }

    synchronized boolean isReady() {
        return ready;
    }

    /** Returns the first lines of the output so far, which include the banner. */
    synchronized List<String> banner() {
        return List.copyOf(first);
    }

    /** Returns the output so far, and notes how many lines in the middle were dropped. */
    synchronized String text() {
        List<String> lines = new ArrayList<>(first);
        if (dropped > 0) {
            lines.add("(" + dropped + " lines dropped)");
        }
        lines.addAll(last);
        return String.join("\n", lines);
    }
}
