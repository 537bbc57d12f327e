package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLoopEngineTest {
    private static final long COLLECTION = 0x0101010101010101L;
    private static final Key KEY = Key.of(COLLECTION, "p", "r");

    private final Vertx vertx = Vertx.vertx();
    private final PendingEngine pending = new PendingEngine();
    private final EventLoopEngine engine = new EventLoopEngine(pending, vertx, 2);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_follows_an_operation_runs_on_the_event_loop_that_asked(boolean succeeds) throws Exception {
        for (Function<Engine, CompletionStage<?>> operation : operations()) {
            Context loop = vertx.getOrCreateContext();
            CompletableFuture<Context> follower = new CompletableFuture<>();
            CompletableFuture<Void> asked = new CompletableFuture<>();
            loop.runOnContext(hop -> {
                var unused =
                        operation.apply(engine).handle((result, failure) -> follower.complete(Vertx.currentContext()));
                asked.complete(null);
            });
            asked.get(20, TimeUnit.SECONDS);
            pending.complete(succeeds);
            assertThat(follower.get(20, TimeUnit.SECONDS)).isSameAs(loop);
        }
    }

    @Test
    void what_follows_an_operation_of_another_thread_runs_on_an_event_loop() throws Exception {
        for (Function<Engine, CompletionStage<?>> operation : operations()) {
            CompletableFuture<Context> follower = new CompletableFuture<>();
            var unused = operation.apply(engine).handle((result, failure) -> follower.complete(Vertx.currentContext()));
            pending.complete(true);
            assertThat(follower.get(20, TimeUnit.SECONDS).isEventLoopContext()).isTrue();
        }
    }

    private static List<Function<Engine, CompletionStage<?>>> operations() {
        return List.of(
                engine -> engine.commit(new Commit(COLLECTION, "p", List.of(new Write.Delete(KEY, Precondition.NONE)))),
                engine -> engine.read(KEY),
                engine -> engine.drop(COLLECTION));
    }

    /** An engine whose operations complete when a test says so, on the thread of the test. */
    private static final class PendingEngine implements Engine {
        private CompletableFuture<?> last = new CompletableFuture<>();

        void complete(boolean succeeds) {
            if (succeeds) {
                last.complete(null);
            } else {
                last.completeExceptionally(new EngineException(EngineException.Kind.UNAVAILABLE, "closed"));
            }
        }

        private <T> CompletionStage<T> begun() {
            CompletableFuture<T> stage = new CompletableFuture<>();
            last = stage;
            return stage;
        }

        @Override
        public CompletionStage<Optional<byte[]>> read(Key key) {
            return begun();
        }

        @Override
        public CompletionStage<RowPage> scan(Scan scan) {
            return begun();
        }

        @Override
        public CompletionStage<CommitResult> commit(Commit commit) {
            return begun();
        }

        @Override
        public CompletionStage<Void> drop(long collection) {
            return begun();
        }

        @Override
        public void close() {}
    }
}
