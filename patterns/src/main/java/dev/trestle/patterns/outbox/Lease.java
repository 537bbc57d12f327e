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
 * A message that is ours for a time. Each renewal gives a new receipt, without which the message cannot be deleted; hence the
 * lock, which is this object.
 */
final class Lease {
    private static final int RENEWALS_WITHIN = 3;

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
        long period = visibility.toMillis() / RENEWALS_WITHIN;
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
            // Another worker has it by now, or had it and is done. The steps may be done twice, which they bear.
            lost = lost || isTaken(e);
        } catch (RuntimeException e) {
            // The next renewal may reach the queue; there are several before the message is seen by others. To throw
            // here
            // would end them.
            return;
        }
    }

    /** No more renewals: the message becomes visible when the current time is up. */
    void release() {
        renewal.cancel(false);
    }

    /** Deletes the message, unless it is no longer ours. */
    synchronized void complete() {
        renewal.cancel(false);
        if (lost) {
            return;
        }
        try {
            queue.deleteMessageWithResponse(id, receipt, null, Context.NONE);
        } catch (QueueStorageException e) {
            if (!isTaken(e)) {
                throw e;
            }
            // Deleted, or taken, by another worker.
            lost = true;
        }
    }

    /** The message is gone, or the receipt is no longer the latest. */
    private static boolean isTaken(QueueStorageException e) {
        return e.getStatusCode() == 404 || e.getStatusCode() == 400;
    }
}
