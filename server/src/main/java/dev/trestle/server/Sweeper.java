package dev.trestle.server;

import dev.trestle.queue.QueueService;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has expired messages removed now and then, also in queues that nobody reads. */
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration PAUSE = Duration.ofMinutes(10);

    /** Longer, for every server that shares the queues does it. */
    private static final Duration SHARED_PAUSE = Duration.ofHours(1);

    private final Vertx vertx;
    private final QueueService queues;
    private final Accounts accounts;
    private final long pauseMillis;

    Sweeper(Vertx vertx, QueueService queues, Accounts accounts, boolean shared) {
        this.vertx = vertx;
        this.queues = queues;
        this.accounts = accounts;
        this.pauseMillis = (shared ? SHARED_PAUSE : PAUSE).toMillis();
    }

    void start() {
        vertx.setTimer(
                pauseMillis,
                now -> sweep().whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn("Expired messages could not be removed; this is tried again", failure);
                    }
                    start();
                }));
    }

    private CompletionStage<Void> sweep() {
        CompletionStage<Void> swept = CompletableFuture.completedFuture(null);
        for (Account account : accounts.all()) {
            swept = swept.thenCompose(done -> queues.sweep(account.name()));
        }
        return swept;
    }
}
