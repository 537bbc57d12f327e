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
 * A consumer of a transaction queue. A message is invisible to other workers while its steps run, however long they take, and is
 * deleted after the last step. If a step fails or the worker dies, the message becomes visible again; after too many attempts it
 * is moved to the poison queue. Either start threads with {@link #start} or call {@link #performOne}. Thread-safe.
 *
 * <pre>{@code
 * try (Worker<EntityKey> worker = archiving.worker(move, WorkerOptions.standard())) {
 *     return worker.performOne();
 * }
 * }</pre>
 */
public final class Worker<M> implements AutoCloseable {
    private static final ClientLogger LOG = new ClientLogger(Worker.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final TransactionQueue<M> transactions;
    private final EventualTransaction<M> transaction;
    private final WorkerOptions options;
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor(Worker::daemon);
    private final ExecutorService threads = Executors.newCachedThreadPool(Worker::daemon);
    private volatile boolean closed;

    Worker(TransactionQueue<M> transactions, EventualTransaction<M> transaction, WorkerOptions options) {
        this.transactions = transactions;
        this.transaction = transaction;
        this.options = options;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "transaction-queue-worker");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts this number of threads, which process messages until {@link #close}. */
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
                LOG.warning("Request to the transaction queue failed; retrying after the poll interval", e);
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

    /** The result of polling the queue once. */
    public enum Outcome {
        /** No message is visible; some may be in flight with other workers or waiting for a retry. */
        NOTHING_TO_DO,
        /** All steps succeeded and the message was deleted. */
        DONE,
        /** A step failed; the message becomes visible again. */
        FAILED,
        /** The message exceeded the maximum number of attempts and was moved to the poison queue. */
        POISONED
    }

    /** Receives one message, if one is visible, and runs all steps on it. */
    public Outcome performOne() {
        Optional<QueueMessageItem> next =
                transactions.queue().receiveMessages(1, options.visibility(), null, Context.NONE).stream()
                        .findFirst();
        return next.map(this::perform).orElse(Outcome.NOTHING_TO_DO);
    }

    private Outcome perform(QueueMessageItem message) {
        Lease lease = Lease.of(transactions.queue(), message, options.visibility(), renewals);
        try {
            if (message.getDequeueCount() > options.attemptsMax()) {
                return poison(message, lease);
            }
            transaction.perform(transactions.read(message.getBody().toString()));
            lease.complete();
            return Outcome.DONE;
        } catch (RuntimeException e) {
            LOG.warning(
                    "Message failed; it will be retried: message={} attempt={}",
                    message.getMessageId(),
                    message.getDequeueCount(),
                    e);
            return Outcome.FAILED;
        } finally {
            // Always stop the renewals: a message that no worker processes must become visible.
            lease.release();
        }
    }

    /** Sends before deleting: a crash in between duplicates the message instead of losing it. */
    private Outcome poison(QueueMessageItem message, Lease lease) {
        transactions.poison().sendMessage(message.getBody().toString());
        lease.complete();
        return Outcome.POISONED;
    }

    /** Receives no more messages and waits up to 10 seconds for those in flight, then interrupts them. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        renewals.shutdownNow();
    }
}
