package dev.trestle.testkit;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/**
 * Every part of the contract of blobs. One test class of each engine extends it and says how the engine and the store of
 * contents beside it are opened.
 */
public abstract class AllBlobContracts {

    /** Opens the engine, as {@link EngineContract#open} says. */
    protected abstract Engine open(InstantSource clock) throws Exception;

    /** Opens the store, as {@link BlobContract#openContents} says. */
    protected abstract ContentStore openContents() throws Exception;

    /** Damages the store, as {@link BlobUpkeepContract#damageContents} says. */
    protected abstract boolean damageContents() throws Exception;

    @Nested
    class Contents extends BlobContentContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class Blocks extends BlockBlobContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class Appends extends AppendBlobContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class RandomCalls extends RandomBlobContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class Guards extends BlobGuardContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class Lists extends BlobListContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }
    }

    @Nested
    class Upkeep extends BlobUpkeepContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllBlobContracts.this.open(clock);
        }

        @Override
        protected ContentStore openContents() throws Exception {
            return AllBlobContracts.this.openContents();
        }

        @Override
        protected boolean damageContents() throws Exception {
            return AllBlobContracts.this.damageContents();
        }
    }
}
