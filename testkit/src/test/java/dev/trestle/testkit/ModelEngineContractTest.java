package dev.trestle.testkit;

import dev.trestle.engine.Engine;
import java.time.InstantSource;
import java.util.Optional;

/** The model passes the contract it is the oracle of. */
class ModelEngineContractTest extends AllEngineContracts {
    private Optional<ModelEngine> last = Optional.empty();

    @Override
    protected Engine open(InstantSource clock) {
        ModelEngine opened = last.map(closed -> closed.reopen(clock)).orElseGet(() -> new ModelEngine(clock));
        last = Optional.of(opened);
        return opened;
    }
}
