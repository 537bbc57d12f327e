package dev.trestle.testkit;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import java.time.InstantSource;
import java.util.Optional;

/** Blobs on the models, where a failure is one of the service itself. */
class ModelBlobContractTest extends AllBlobContracts {
    private Optional<ModelEngine> lastEngine = Optional.empty();
    private Optional<ModelContents> lastContents = Optional.empty();

    @Override
    public Engine open(InstantSource clock) {
        ModelEngine opened = lastEngine.map(closed -> closed.reopen(clock)).orElseGet(() -> new ModelEngine(clock));
        lastEngine = Optional.of(opened);
        return opened;
    }

    @Override
    public ContentStore openContents() {
        ModelContents opened = lastContents.map(ModelContents::reopen).orElseGet(ModelContents::new);
        lastContents = Optional.of(opened);
        return opened;
    }

    @Override
    public boolean damageContents() {
        lastContents.orElseThrow().damage();
        return true;
    }
}
