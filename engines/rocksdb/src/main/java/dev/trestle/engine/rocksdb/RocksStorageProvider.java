package dev.trestle.engine.rocksdb;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Durability;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.StorageProvider;
import dev.trestle.engine.files.LocalContentStore;
import java.time.InstantSource;

/** Opens an embedded RocksDB, with contents as files in the same data folder. */
public final class RocksStorageProvider implements StorageProvider {
    @Override
    public String name() {
        return "rocksdb";
    }

    @Override
    public Storage open(StorageConfig config, InstantSource clock) {
        RocksEngine engine = RocksEngine.open(RocksEngineConfig.of(config), clock);
        return new Storage(engine, engine.telemetry(), () -> openContents(config));
    }

    private static ContentStore openContents(StorageConfig config) {
        boolean synced = config.durability() == Durability.SYNCED;
        return config.folder()
                .map(folder -> LocalContentStore.open(folder, synced))
                .orElseGet(LocalContentStore::openTemporary);
    }
}
