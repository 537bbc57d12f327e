package dev.trestle.patterns.outbox;

import com.azure.storage.queue.QueueClient;

/**
 * A queue of pending transactions, with a poison queue for messages that failed too often. Both queues must exist. Thread-safe.
 *
 * <pre>{@code
 * TransactionQueue<EntityKey> archiving = TransactionQueue.of(
 *         context.queue("archiving"), context.queue("archiving-poison"), MessageFormat.entityKey());
 * }</pre>
 */
public final class TransactionQueue<M> {
    private final QueueClient queue;
    private final QueueClient poison;
    private final MessageFormat<M> format;

    private TransactionQueue(QueueClient queue, QueueClient poison, MessageFormat<M> format) {
        this.queue = queue;
        this.poison = poison;
        this.format = format;
    }

    public static <M> TransactionQueue<M> of(QueueClient queue, QueueClient poison, MessageFormat<M> format) {
        return new TransactionQueue<>(queue, poison, format);
    }

    /** Begins a transaction by enqueuing its message; once this returns, a worker will execute it. */
    public void begin(M message) {
        queue.sendMessage(format.write().apply(message));
    }

    /** Returns a worker for this queue. Any number of workers, also on other machines, may share the queue. */
    public Worker<M> worker(EventualTransaction<M> transaction, WorkerOptions options) {
        return new Worker<>(this, transaction, options);
    }

    QueueClient queue() {
        return queue;
    }

    QueueClient poison() {
        return poison;
    }

    M read(String text) {
        return format.read().apply(text);
    }
}
