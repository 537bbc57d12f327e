package dev.trestle.server.admin;

import dev.trestle.blob.Scrub;
import dev.trestle.engine.RowVerification;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs scrubs of the rows of the engine and the blobs of all accounts, one at a time, and reports findings as
 * lines of text.
 */
public final class ScrubRunner {
    /** The prefix of a line that reports damage. */
    public static final String DAMAGED = "Damaged: ";

    /** The prefix of the last line of a completed scrub. */
    public static final String DONE = "Scrubbed ";

    private final Optional<RowVerification> rows;
    private final Optional<Scrub> blobs;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Creates a runner.
     *
     * @param rows empty if the storage verifies rows itself
     * @param blobs empty if no blobs are served
     */
    public ScrubRunner(Optional<RowVerification> rows, Optional<Scrub> blobs) {
        this.rows = rows;
        this.blobs = blobs;
    }

    /**
     * Starts a scrub, unless one is running.
     *
     * @param verify whether to read rows and contents, or only to reclaim unreferenced content
     * @param report receives each finding; may block, which delays the scrub
     */
    public Optional<Run> start(boolean verify, Consumer<String> report) {
        if (!running.compareAndSet(false, true)) {
            return Optional.empty();
        }
        Run run = new Run(verify, report);
        run.done = run.rows()
                .thenCompose(verified -> run.blobs())
                .whenComplete((done, failure) -> running.set(false))
                .thenApply(done -> run.summary());
        return Optional.of(run);
    }

    /** One scrub. */
    public final class Run {
        private final boolean verify;
        private final Consumer<String> report;
        private CompletionStage<String> done = CompletableFuture.completedFuture("");
        private volatile boolean stopped;

        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong sound = new AtomicLong();
        private final AtomicLong damaged = new AtomicLong();
        private final AtomicLong removed = new AtomicLong();

        private Run(boolean verify, Consumer<String> report) {
            this.verify = verify;
            this.report = report;
        }

        /** Completes with the last line at the end of the scrub. */
        public CompletionStage<String> done() {
            return done;
        }

        /** Returns a line about the progress. */
        public String progress() {
            return String.format(Locale.ROOT, "%,d bytes so far ...", bytes.get());
        }

        /** Cancels the scrub. */
        public void stop() {
            stopped = true;
        }

        private CompletionStage<Void> rows() {
            if (!verify || rows.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            OfRows found = new OfRows(this);
            return rows.get().verify(found).thenRun(found::report);
        }

        private CompletionStage<Void> blobs() {
            return blobs.map(scrub -> scrub.accounts().thenCompose(accounts -> accounts(scrub, accounts)))
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }

        private void requireNotStopped() {
            if (stopped) {
                throw new CancellationException("the client of the scrub closed the connection");
            }
        }

        private CompletionStage<Void> accounts(Scrub scrub, List<String> accounts) {
            CompletionStage<Void> all = CompletableFuture.completedFuture(null);
            for (String account : accounts) {
                all = all.thenCompose(before -> scrub.scrub(account, verify, new OfAccount(this, account)));
            }
            return all;
        }

        private String summary() {
            String read = verify
                    ? String.format(
                            Locale.ROOT,
                            "%,d contents, %,d bytes: %,d damaged",
                            sound.get() + damaged.get(),
                            bytes.get(),
                            damaged.get())
                    : "without reading contents";
            return DONE + read + String.format(Locale.ROOT, "; %,d leftovers removed.", removed.get());
        }
    }

    private record OfAccount(Run run, String account) implements Scrub.Findings {
        @Override
        public void read(long bytes) {
            run.requireNotStopped();
            run.bytes.addAndGet(bytes);
        }

        @Override
        public void sound(long bytes) {
            run.sound.incrementAndGet();
        }

        @Override
        public void damaged(String container, String blob, String what) {
            run.damaged.incrementAndGet();
            run.report.accept(DAMAGED + line(container + "/" + blob + ": " + what + "."));
        }

        @Override
        public void removed(String container, String what) {
            run.removed.incrementAndGet();
            run.report.accept("Removed: " + line(container + ": " + what + "."));
        }

        private String line(String text) {
            return printable(account + "/" + text);
        }
    }

    /** Escapes control characters, which names may contain. */
    private static String printable(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    /** The findings in rows. Used by one thread at a time. */
    private static final class OfRows implements RowVerification.Findings {
        private final Run run;
        private long files;
        private long bytes;
        private long damaged;

        OfRows(Run run) {
            this.run = run;
        }

        @Override
        public void sound(long read) {
            run.requireNotStopped();
            files++;
            bytes += read;
        }

        @Override
        public void damaged(String file, long read, String what) {
            sound(read);
            damaged++;
            run.report.accept(DAMAGED + printable(file + ": " + what + "."));
        }

        void report() {
            if (files > 0) {
                run.report.accept(String.format(
                        Locale.ROOT, "Verified %,d files of rows, %,d bytes: %,d damaged.", files, bytes, damaged));
            }
        }
    }
}
