package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The queue of a run: cleared first, then filled with the configured number of messages. */
public final class BenchQueue {
    private static final int CONNECTIONS = 16;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final QueueTarget target;

    public BenchQueue(QueueTarget target) {
        this.target = target;
    }

    /** Creates the queue unless it exists, and fills it with this number of messages. */
    public void prepare(long messages, PrintStream err) throws IOException, InterruptedException {
        try (Caller caller = new Caller(target.endpoint().address())) {
            int status = caller.exchange(target.newDialect().create()).status();
            if (status != 201 && status != 204) {
                throw new IOException("The queue " + target.queue() + " could not be created at " + target.endpoint()
                        + ": it responded with " + status + ".");
            }
            caller.call(target.newDialect().clear());
        }
        fill(messages, err);
    }

    private void fill(long messages, PrintStream err) throws IOException, InterruptedException {
        AtomicLong left = new AtomicLong(messages);
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS && messages > 0; i++) {
            Thread thread = new Thread(() -> put(left, failure), "load");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            for (thread.join(BETWEEN_LINES.toMillis()); thread.isAlive(); thread.join(BETWEEN_LINES.toMillis())) {
                err.println(String.format(
                        Locale.ROOT, "Putting messages: %,d of %,d", messages - Math.max(0, left.get()), messages));
            }
        }
        IOException failed = failure.get();
        if (failed != null) {
            throw new IOException("Putting the messages failed: " + failed.getMessage() + ".", failed);
        }
    }

    private void put(AtomicLong left, AtomicReference<@Nullable IOException> failure) {
        try (Caller caller = new Caller(target.endpoint().address())) {
            QueueDialect dialect = target.newDialect();
            while (left.getAndDecrement() > 0 && failure.get() == null) {
                caller.call(dialect.put());
            }
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
    }

    public void drop() throws IOException {
        try (Caller caller = new Caller(target.endpoint().address())) {
            caller.call(target.newDialect().delete());
        }
    }
}
