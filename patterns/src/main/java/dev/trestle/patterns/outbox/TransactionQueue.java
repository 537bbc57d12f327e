package dev.trestle.patterns.outbox;

import com.azure.storage.queue.QueueClient;

/**
 * A queue of transactions to be done, with another for the messages that no worker could deal with. Both queues have to be
 * there. Safe for many threads.
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

    /** Begins a transaction: when this returns, it will be done. */
    public void begin(M message) {
        queue.sendMessage(format.write().apply(message));
    }

    /** Somebody to do what is on the queue. Any number of workers, here and on other machines, may share a queue. */
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
