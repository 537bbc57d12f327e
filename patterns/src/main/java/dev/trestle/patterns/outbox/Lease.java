package dev.trestle.patterns.outbox;

import com.azure.core.util.Context;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The lease on a received message: renews its visibility timeout until released. Each renewal returns a new pop receipt, which is
 * needed to delete the message; receipt and state are guarded by this object's lock.
 */
final class Lease {
    private static final int RENEWALS_PER_VISIBILITY = 3;

    private final QueueClient queue;
    private final String id;
    private final String text;
    private final Duration visibility;
    private final ScheduledFuture<?> renewal;
    private String receipt;
    private boolean lost;

    private Lease(QueueClient queue, QueueMessageItem message, Duration visibility, ScheduledExecutorService clock) {
        this.queue = queue;
        this.id = message.getMessageId();
        this.text = message.getBody().toString();
        this.receipt = message.getPopReceipt();
        this.visibility = visibility;
        long period = visibility.toMillis() / RENEWALS_PER_VISIBILITY;
        this.renewal = clock.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
    }

    static Lease of(QueueClient queue, QueueMessageItem message, Duration visibility, ScheduledExecutorService clock) {
        return new Lease(queue, message, visibility, clock);
    }

    private synchronized void renew() {
        if (lost) {
            return;
        }
        try {
            receipt = queue.updateMessage(id, receipt, text, visibility).getPopReceipt();
        } catch (QueueStorageException e) {
            // Another worker has received or deleted the message. Steps may run twice, and are idempotent.
            lost = lost || isLost(e);
        } catch (RuntimeException e) {
            // Several renewals fit into the visibility timeout, so the next may succeed. An exception would cancel
            // them.
            return;
        }
    }

    /** Stops the renewals: the message becomes visible when its current timeout ends. */
    void release() {
        renewal.cancel(false);
    }

    /** Deletes the message unless the lease was lost. */
    synchronized void complete() {
        renewal.cancel(false);
        if (lost) {
            return;
        }
        try {
            queue.deleteMessageWithResponse(id, receipt, null, Context.NONE);
        } catch (QueueStorageException e) {
            if (!isLost(e)) {
                throw e;
            }
            lost = true;
        }
    }

    /** Returns whether the message was deleted, or the receipt is outdated because another worker received it. */
    private static boolean isLost(QueueStorageException e) {
        return e.getStatusCode() == 404 || e.getStatusCode() == 400;
    }
}
