package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.OperationExamples.Example;
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
 * The thread that commits does nothing else. {@code RequestPipeline} asserts that it makes no response there; the engine of this
 * test notes what is asked of it there.
 */
class CommitterThreadTest {
    private final ExecutorService committer =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "trestle-committer"));
    private final Queue<String> askedOnCommitter = new ConcurrentLinkedQueue<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final GuardedServer server = GuardedServer.withEngine(CommitterEngine::new);

    @AfterEach
    void stop() {
        server.close();
        committer.shutdownNow();
    }

    @Test
    void no_operation_continues_on_it_after_its_commit() throws IOException {
        int status5xx = 0;
        // Twice: the second time most things exist already, so that many commits are refused.
        for (int round = 0; round < 2; round++) {
            for (Example example : OperationExamples.ALL) {
                String name = "res" + example.service().word();
                make(example.service(), name);
                Answer answer = server.owner(
                        example.service(),
                        example.method(),
                        filled(example.path(), name),
                        filled(example.body(), name),
                        example.headers().stream()
                                .map(header -> filled(header, name))
                                .toArray(String[]::new));
                status5xx += answer.status() / 100 == 5 ? 1 : 0;
            }
        }
        assertThat(status5xx).isZero();
        assertThat(commits).hasValueGreaterThan(50);
        assertThat(askedOnCommitter).isEmpty();
    }

    private void make(Service service, String name) throws IOException {
        switch (service) {
            case TABLE ->
                server.owner(
                        service,
                        "POST",
                        "/Tables",
                        "{\"TableName\":\"" + name + "\"}",
                        "Content-Type: application/json");
            case QUEUE -> server.owner(service, "PUT", "/" + name, "");
            case BLOB -> {
                server.owner(service, "PUT", "/" + name + "?restype=container", "");
                server.owner(service, "PUT", "/" + name + "/b", "x", "x-ms-blob-type: BlockBlob");
            }
        }
    }

    private static String filled(String text, String name) {
        return text.replace("NEW", "new1").replaceAll("\\bR\\b", name);
    }

    /** Completes commits and drops on one thread, as the RocksDB engine does, including refused ones. */
    private final class CommitterEngine implements Engine {
        private final Engine engine;

        CommitterEngine(Engine engine) {
            this.engine = engine;
        }

        private void note(String call) {
            if (Thread.currentThread().getName().equals("trestle-committer")) {
                askedOnCommitter.add(call);
            }
        }

        @Override
        public CompletionStage<Optional<byte[]>> read(Key key) {
            note("read");
            return engine.read(key);
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            note("scan");
            return engine.scan(scan);
        }

        @Override
        public CompletionStage<CommitResult> commit(Commit commit) {
            note("commit");
            commits.incrementAndGet();
            return CompletableFuture.supplyAsync(
                    () -> engine.commit(commit).toCompletableFuture().join(), committer);
        }

        @Override
        public CompletionStage<Void> drop(long collection) {
            note("drop");
            return CompletableFuture.supplyAsync(
                    () -> engine.drop(collection).toCompletableFuture().join(), committer);
        }

        @Override
        public void release(long collection) {
            engine.release(collection);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
