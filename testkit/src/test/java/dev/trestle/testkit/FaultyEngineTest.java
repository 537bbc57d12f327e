package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException.Kind;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FaultyEngineTest {
    private final ModelEngine model = new ModelEngine(new ManualClock(Instant.EPOCH));
    private final FaultyEngine engine = new FaultyEngine(model);

    @Test
    void a_failed_call_has_no_effect_and_the_next_one_passes() {
        engine.failNext(FaultyEngine.Call.COMMIT, Kind.OVERLOADED);
        assertThat(EngineContract.failureOf(engine.commit(insertion())).kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(EngineContract.await(engine.commit(insertion()))).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void a_lost_answer_leaves_the_effect() {
        engine.loseNextAnswer(FaultyEngine.Call.COMMIT, Kind.UNAVAILABLE);
        assertThat(EngineContract.failureOf(engine.commit(insertion())).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(EngineContract.await(engine.commit(insertion()))).isInstanceOf(CommitResult.Refused.class);
    }

    @Test
    void a_delayed_call_waits_for_its_release_while_others_pass() {
        Runnable release = engine.delayNext(FaultyEngine.Call.READ);
        CompletableFuture<Optional<byte[]>> delayed =
                engine.read(EngineContract.key("p", "r")).toCompletableFuture();
        EngineContract.await(engine.commit(insertion()));
        assertThat(EngineContract.await(engine.read(EngineContract.key("p", "r"))))
                .isPresent();
        assertThat(delayed).isNotDone();
        release.run();
        assertThat(EngineContract.await(delayed)).isPresent();
    }

    private static Commit insertion() {
        return EngineContract.commitOf(EngineContract.insert(EngineContract.key("p", "r"), EngineContract.row("N", 1)));
    }
}
