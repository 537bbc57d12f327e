package dev.trestle.patterns.outbox;

import com.azure.core.util.Context;
import com.azure.core.util.logging.ClientLogger;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Does the transactions of a queue. A message is hidden from others while its steps run, however long that takes, and deleted
 * when all are done. If a step fails, or the worker dies, the message comes back; when it has come back too often, it is moved
 * to the poison queue. Either start threads with {@link #start}, or call {@link #performOne} yourself.
 *
 * <pre>{@code
 * try (Worker<EntityKey> worker = archiving.worker(move, WorkerOptions.standard())) {
 *     return worker.performOne();
 * }
 * }</pre>
 */
public final class Worker<M> implements AutoCloseable {
    private static final ClientLogger LOG = new ClientLogger(Worker.class);
    private static final Duration ENOUGH_TO_END = Duration.ofSeconds(10);

    private final TransactionQueue<M> transactions;
    private final EventualTransaction<M> transaction;
    private final WorkerOptions options;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Worker::daemon);
    private final ExecutorService threads = Executors.newCachedThreadPool(Worker::daemon);
    private volatile boolean closed;

    Worker(TransactionQueue<M> transactions, EventualTransaction<M> transaction, WorkerOptions options) {
        this.transactions = transactions;
        this.transaction = transaction;
        this.options = options;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "worker of a transaction queue");
        thread.setDaemon(true);
        return thread;
    }

    /** Works until closed, with so many threads. */
    public Worker<M> start(int count) {
        for (int i = 0; i < count; i++) {
            threads.execute(this::work);
        }
        return this;
    }

    private void work() {
        while (!closed) {
            boolean idle;
            try {
                idle = performOne() == Outcome.NOTHING_TO_DO;
            } catch (RuntimeException e) {
                LOG.warning("The queue could not be asked or answered", e);
                idle = true;
            }
            if (idle) {
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(options.poll().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** What came of looking at the queue. */
    public enum Outcome {
        /** No message can be seen; some may be with other workers, or waiting to come back. */
        NOTHING_TO_DO,
        /** All steps were done and the message is gone. */
        DONE,
        /** A step failed; the message will come back. */
        FAILED,
        /** The message was tried too often or cannot be read, and is now on the poison queue. */
        POISONED
    }

    /** Takes one message, if there is one, and deals with it. */
    public Outcome performOne() {
        Optional<QueueMessageItem> next =
                transactions.queue().receiveMessages(1, options.visibility(), null, Context.NONE).stream()
                        .findFirst();
        return next.map(this::perform).orElse(Outcome.NOTHING_TO_DO);
    }

    private Outcome perform(QueueMessageItem message) {
        Lease lease = Lease.of(transactions.queue(), message, options.visibility(), clock);
        try {
            if (message.getDequeueCount() > options.attemptsMax()) {
                return poison(message, lease);
            }
            transaction.perform(transactions.read(message.getBody().toString()));
            lease.complete();
            return Outcome.DONE;
        } catch (RuntimeException e) {
            LOG.warning("Message {} failed at attempt {}", message.getMessageId(), message.getDequeueCount(), e);
            return Outcome.FAILED;
        } finally {
            // Whatever was thrown, a message that nobody works on must not stay hidden.
            lease.release();
        }
    }

    /** Sent before it is deleted here: rather twice on the poison queue than nowhere. */
    private Outcome poison(QueueMessageItem message, Lease lease) {
        transactions.poison().sendMessage(message.getBody().toString());
        lease.complete();
        return Outcome.POISONED;
    }

    /** Takes no more messages and waits a while for those under way. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(ENOUGH_TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clock.shutdownNow();
    }
}
