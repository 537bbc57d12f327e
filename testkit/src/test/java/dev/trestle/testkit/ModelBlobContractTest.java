package dev.trestle.testkit;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** Blobs on the models, where a failure is one of the service itself. */
class ModelBlobContractTest {
    private Optional<ModelEngine> lastEngine = Optional.empty();
    private Optional<ModelContents> lastContents = Optional.empty();

    private Engine openModel(InstantSource clock) {
        ModelEngine opened = lastEngine.map(closed -> closed.reopen(clock)).orElseGet(() -> new ModelEngine(clock));
        lastEngine = Optional.of(opened);
        return opened;
    }

    private ContentStore openModelContents() {
        ModelContents opened = lastContents.map(ModelContents::reopen).orElseGet(ModelContents::new);
        lastContents = Optional.of(opened);
        return opened;
    }

    @Nested
    class Contents extends BlobContentContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openModel(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openModelContents();
        }
    }

    @Nested
    class Guards extends BlobGuardContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openModel(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openModelContents();
        }
    }

    @Nested
    class Lists extends BlobListContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openModel(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openModelContents();
        }
    }

    @Nested
    class Upkeep extends BlobUpkeepContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openModel(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openModelContents();
        }

        @Override
        protected boolean damageContents() {
            lastContents.orElseThrow().damage();
            return true;
        }
    }
}
