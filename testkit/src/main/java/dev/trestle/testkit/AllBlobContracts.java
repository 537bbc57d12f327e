package dev.trestle.testkit;

import org.junit.jupiter.api.Nested;

/**
 * Every part of the contract of blobs. One test class of each engine extends it and says how the engine and the store of
 * contents beside it are opened, and how the store is damaged.
 */
public abstract class AllBlobContracts implements BlobContract.StoreOpener, BlobUpkeepContract.Damager {
    @Nested
    class Contents extends BlobContentContract {
        Contents() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Blocks extends BlockBlobContract {
        Blocks() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Appends extends AppendBlobContract {
        Appends() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class RandomCalls extends RandomBlobContract {
        RandomCalls() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Conditions extends BlobConditionContract {
        Conditions() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Leases extends BlobLeaseContract {
        Leases() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Copies extends BlobCopyContract {
        Copies() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Lists extends BlobListContract {
        Lists() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Tags extends BlobTagContract {
        Tags() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class TagIndex extends TagIndexContract {
        TagIndex() {
            super(AllBlobContracts.this);
        }
    }

    @Nested
    class Upkeep extends BlobUpkeepContract {
        Upkeep() {
            super(AllBlobContracts.this, AllBlobContracts.this);
        }
    }
}
