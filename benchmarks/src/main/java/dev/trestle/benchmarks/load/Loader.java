package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Loads the data into a target, a hundred entities per request. Memory is bounded by one request per connection.
 */
public final class Loader {
    private static final int CONNECTIONS = 8;
    private static final int TRIES_MAX = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final Target target;
    private final DataSet data;
    private final long first;
    private final AtomicLong next;
    private final AtomicLong done = new AtomicLong();
    private volatile @Nullable IOException failure;

    private Loader(Target target, DataSet data, long present) {
        this.target = target;
        this.data = data;
        this.first = present / Dialect.TRANSACTION_ROWS;
        this.next = new AtomicLong(first);
    }

    /**
     * Loads all entities except those that are present.
     *
     * @throws IOException if the target refuses them
     */
    public static void load(Target target, DataSet data, long present, PrintStream err)
            throws IOException, InterruptedException {
        new Loader(target, data, present).load(err);
    }

    private void load(PrintStream err) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread thread = new Thread(this::work, "load");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            for (thread.join(BETWEEN_LINES.toMillis()); thread.isAlive(); thread.join(BETWEEN_LINES.toMillis())) {
                err.println(progress("Loading " + target.name() + ":", begun));
            }
        }
        if (failure != null) {
            throw new IOException("Loading the data failed: " + failure.getMessage() + ".", failure);
        }
        err.println(progress("Loaded " + target.name() + ":", begun));
    }

    private String progress(String what, long begun) {
        long entities = done.get() * Dialect.TRANSACTION_ROWS;
        double seconds = (System.nanoTime() - begun) / 1e9;
        return String.format(
                Locale.ROOT,
                "%s %,d of %,d entities, %,.0f a second",
                what,
                first * Dialect.TRANSACTION_ROWS + entities,
                data.entities(),
                entities / seconds);
    }

    private void work() {
        long end = data.entities() / Dialect.TRANSACTION_ROWS;
        try (Caller caller = new Caller(target.address())) {
            Dialect dialect = target.newDialect();
            for (long at = next.getAndIncrement(); at < end && failure == null; at = next.getAndIncrement()) {
                long row = at * Dialect.TRANSACTION_ROWS;
                String partition = data.partitionKey((int) (row / DataSet.PARTITION_ROWS));
                insist(caller, dialect.load(partition, row % DataSet.PARTITION_ROWS));
                done.incrementAndGet();
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Retries while the server is busy; loading is not measured. */
    static void insist(Caller caller, Request request) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                caller.call(request);
                return;
            } catch (Caller.UnexpectedResponse e) {
                if (!e.passing() || tries == TRIES_MAX) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos() * tries);
            }
        }
    }
}
