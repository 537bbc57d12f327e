package dev.trestle.testkit;

import dev.trestle.engine.ContentStore;
import java.util.Optional;

/** The model of stores passes the contract it is the oracle of. */
class ModelContentsContractTest extends ContentStoreContract {
    private Optional<ModelContents> last = Optional.empty();

    @Override
    protected ContentStore open() {
        ModelContents opened = last.map(ModelContents::reopen).orElseGet(ModelContents::new);
        last = Optional.of(opened);
        return opened;
    }
}
