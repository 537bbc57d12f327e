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
 * Scrubs the rows of the engine and the blobs of all accounts, one scrub at a time, and tells what it finds in lines of
 * text.
 */
public final class Scrubbing {
    /** What the line begins with that tells of damage. */
    public static final String DAMAGED = "Damaged: ";

    /** What the last line of a scrub begins with that came to its end. */
    public static final String DONE = "Scrubbed ";

    private final Optional<RowVerification> rows;
    private final Optional<Scrub> blobs;
    private final AtomicBoolean underWay = new AtomicBoolean();

    /**
     * A scrub of what is there of the two.
     *
     * @param rows empty where the storage verifies them by itself
     * @param blobs empty where none are served
     */
    public Scrubbing(Optional<RowVerification> rows, Optional<Scrub> blobs) {
        this.rows = rows;
        this.blobs = blobs;
    }

    /**
     * Starts a scrub, unless one is under way.
     *
     * @param verify whether rows and contents are read, or only what nobody holds is removed
     * @param told each finding; may wait, and the scrub waits with it
     */
    public Optional<Run> start(boolean verify, Consumer<String> told) {
        if (!underWay.compareAndSet(false, true)) {
            return Optional.empty();
        }
        Run run = new Run(verify, told);
        run.done = run.rows()
                .thenCompose(verified -> run.blobs())
                .whenComplete((done, failure) -> underWay.set(false))
                .thenApply(done -> run.summary());
        return Optional.of(run);
    }

    /** One scrub. */
    public final class Run {
        private final boolean verify;
        private final Consumer<String> told;
        private CompletionStage<String> done = CompletableFuture.completedFuture("");
        private volatile boolean stopped;

        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong sound = new AtomicLong();
        private final AtomicLong damaged = new AtomicLong();
        private final AtomicLong removed = new AtomicLong();

        private Run(boolean verify, Consumer<String> told) {
            this.verify = verify;
            this.told = told;
        }

        /** The last line, once everything was looked at. */
        public CompletionStage<String> done() {
            return done;
        }

        /** How far it is. */
        public String progress() {
            return String.format(Locale.ROOT, "%,d bytes so far ...", bytes.get());
        }

        /** Ends it soon: nobody wants to know any more. */
        public void stop() {
            stopped = true;
        }

        private CompletionStage<Void> rows() {
            if (!verify || rows.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            OfRows found = new OfRows(this);
            return rows.get().verify(found).thenRun(found::tell);
        }

        private CompletionStage<Void> blobs() {
            return blobs.map(scrub -> scrub.accounts().thenCompose(accounts -> accounts(scrub, accounts)))
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }

        private void requireWanted() {
            if (stopped) {
                throw new CancellationException("nobody waits for the scrub any more");
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
            run.requireWanted();
            run.bytes.addAndGet(bytes);
        }

        @Override
        public void sound(long bytes) {
            run.sound.incrementAndGet();
        }

        @Override
        public void damaged(String container, String blob, String what) {
            run.damaged.incrementAndGet();
            run.told.accept(DAMAGED + line(container + "/" + blob + ": " + what + "."));
        }

        @Override
        public void removed(String container, String what) {
            run.removed.incrementAndGet();
            run.told.accept("Removed: " + line(container + ": " + what + "."));
        }

        private String line(String text) {
            return printable(account + "/" + text);
        }
    }

    /** Names may hold anything, a line must not. */
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

    /** Touched by one thread at a time. */
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
            run.requireWanted();
            files++;
            bytes += read;
        }

        @Override
        public void damaged(String file, long read, String what) {
            sound(read);
            damaged++;
            run.told.accept(DAMAGED + printable(file + ": " + what + "."));
        }

        void tell() {
            if (files > 0) {
                run.told.accept(String.format(
                        Locale.ROOT, "Verified %,d files of rows, %,d bytes: %,d damaged.", files, bytes, damaged));
            }
        }
    }
}
