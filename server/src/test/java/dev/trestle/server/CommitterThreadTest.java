package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import dev.trestle.testkit.ForwardingEngine;
import java.io.IOException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The thread that commits does nothing else. {@code RequestPipeline} asserts that it renders no response there; the
 * engine of this test records which of its methods are called there.
 */
class CommitterThreadTest {
    private final ExecutorService committer =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "trestle-committer"));
    private final Queue<String> calledOnCommitter = new ConcurrentLinkedQueue<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final GuardedServer server = GuardedServer.withEngine(CommitterEngine::new);

    @AfterEach
    void stop() {
        server.close();
        committer.shutdownNow();
    }

    @Test
    void no_operation_continues_on_it_after_its_commit() throws IOException {
        // Twice: the second time most things exist already, so that many commits are refused.
        for (int round = 0; round < 2; round++) {
            assertThat(OperationExamples.sendAll(server)).noneMatch(answer -> answer.status() >= 500);
        }
        assertThat(commits).hasValueGreaterThan(50);
        assertThat(calledOnCommitter).isEmpty();
    }

    /** Completes commits and drops on one thread, as the RocksDB engine does, including refused ones. */
    private final class CommitterEngine extends ForwardingEngine {
        CommitterEngine(Engine engine) {
            super(engine);
        }

        private void record(String call) {
            if (Thread.currentThread().getName().equals("trestle-committer")) {
                calledOnCommitter.add(call);
            }
        }

        @Override
        public CompletionStage<Optional<byte[]>> read(Key key) {
            record("read");
            return super.read(key);
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            record("scan");
            return super.scan(scan);
        }

        @Override
        public CompletionStage<CommitResult> commit(Commit commit) {
            record("commit");
            commits.incrementAndGet();
            return CompletableFuture.supplyAsync(
                    () -> super.commit(commit).toCompletableFuture().join(), committer);
        }

        @Override
        public CompletionStage<Void> drop(long collection) {
            record("drop");
            return CompletableFuture.supplyAsync(
                    () -> super.drop(collection).toCompletableFuture().join(), committer);
        }
    }
}
