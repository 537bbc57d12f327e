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

/** Deletes expired messages periodically, because queues without readers would keep them. */
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    /** The interval on a cluster, where every server sweeps. */
    private static final Duration SHARED_INTERVAL = Duration.ofHours(1);

    private final Vertx vertx;
    private final QueueService queues;
    private final Accounts accounts;
    private final long intervalMillis;

    Sweeper(Vertx vertx, QueueService queues, Accounts accounts, boolean shared) {
        this.vertx = vertx;
        this.queues = queues;
        this.accounts = accounts;
        this.intervalMillis = (shared ? SHARED_INTERVAL : INTERVAL).toMillis();
    }

    void start() {
        vertx.setTimer(
                intervalMillis,
                now -> sweep().whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn("Could not delete expired messages; the next sweep will retry", failure);
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
