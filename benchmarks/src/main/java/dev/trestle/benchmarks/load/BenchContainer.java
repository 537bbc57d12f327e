package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The container of a run. It is filled once and kept. One blob in it marks it as created by this command, and another
 * one records how many blobs it has.
 */
public final class BenchContainer {
    private static final int CONNECTIONS = 64;
    private static final long BETWEEN_LINES_MILLIS = 5000;
    private static final String MADE = "made-by-trestle-bench";
    private static final int FOUND = 200;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;

    private final BlobTarget target;

    public BenchContainer(BlobTarget target) {
        this.target = target;
    }

    /**
     * Creates and fills the container unless it exists.
     *
     * @return the server's name from its Server header
     */
    public String prepare(PrintStream err) throws IOException, InterruptedException {
        try (Caller caller = newCaller()) {
            BlobDialect dialect = target.newDialect();
            Caller.Response made = caller.exchange(dialect.create());
            if (made.status() == CREATED) {
                caller.call(dialect.put(MADE));
            } else if (made.status() != CONFLICT) {
                throw new IOException(
                        "The container " + target.container() + " could not be created at " + target.endpoint()
                                + ": the status was " + made.status() + Caller.errorCode(made.text()) + ".");
            } else if (caller.exchange(dialect.get(MADE)).status() != FOUND) {
                throw new IOException("There is a container " + target.container()
                        + " that was not made by this command; choose another name with --table.");
            }
            if (caller.exchange(dialect.get(holds())).status() != FOUND) {
                fill(err);
                caller.call(dialect.put(holds()));
            }
            return made.server();
        }
    }

    private Caller newCaller() throws IOException {
        try {
            return new Caller(target.endpoint().address());
        } catch (IOException e) {
            throw new IOException("Cannot measure " + target.endpoint() + ": " + e.getMessage() + ".", e);
        }
    }

    /** Returns the name of the blob that marks this number of blobs as loaded. */
    private String holds() {
        return "holds-" + target.blobs();
    }

    private void fill(PrintStream err) throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        long begun = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread thread = new Thread(() -> put(next, failure), "load");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            for (thread.join(BETWEEN_LINES_MILLIS); thread.isAlive(); thread.join(BETWEEN_LINES_MILLIS)) {
                err.println(progress("Putting blobs:", next.get(), begun));
            }
        }
        IOException failed = failure.get();
        if (failed != null) {
            throw new IOException("Putting the blobs failed: " + failed.getMessage() + ".", failed);
        }
        err.println(progress("Put blobs:", target.blobs(), begun));
    }

    private String progress(String what, long done, long begun) {
        double seconds = (System.nanoTime() - begun) / 1e9;
        long count = Math.min(done, target.blobs());
        return String.format(
                Locale.ROOT, "%s %,d of %,d, %,.0f a second", what, count, target.blobs(), count / seconds);
    }

    private void put(AtomicLong next, AtomicReference<@Nullable IOException> failure) {
        try (Caller caller = newCaller()) {
            BlobDialect dialect = target.newDialect();
            for (long blob = next.getAndIncrement();
                    blob < target.blobs() && failure.get() == null;
                    blob = next.getAndIncrement()) {
                Loader.insist(caller, dialect.put(BlobTarget.name(blob)));
            }
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
    }

    public void drop() throws IOException {
        try (Caller caller = newCaller()) {
            caller.call(target.newDialect().delete());
        }
    }
}
