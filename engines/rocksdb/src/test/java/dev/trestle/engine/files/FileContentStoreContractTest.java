package dev.trestle.engine.files;

import dev.trestle.engine.ContentStore;
import dev.trestle.testkit.ContentStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileContentStoreContractTest {
    @TempDir
    private Path data;

    @Nested
    class Synced extends ContentStoreContract {
        @Override
        protected ContentStore open() {
            return LocalContentStore.open(data, true);
        }
    }

    @Nested
    class Buffered extends ContentStoreContract {
        @Override
        protected ContentStore open() {
            return LocalContentStore.open(data, false);
        }
    }
}
