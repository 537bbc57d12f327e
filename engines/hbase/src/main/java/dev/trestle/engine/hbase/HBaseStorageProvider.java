package dev.trestle.engine.hbase;

import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.StorageProvider;
import java.time.InstantSource;
import java.util.Optional;

/** Opens tables in an HBase cluster, with contents in the file system of the cluster. */
public final class HBaseStorageProvider implements StorageProvider {
    @Override
    public String name() {
        return "hbase";
    }

    @Override
    public Storage open(StorageConfig storage, InstantSource clock) {
        HBaseEngineConfig config = HBaseEngineConfig.of(storage);
        HBaseEngine engine = HBaseEngine.open(config, clock);
        return new Storage(
                engine,
                engine.telemetry(),
                Optional.of(engine::load),
                Optional.of(engine.ranges()),
                () -> HdfsContentStore.open(config, clock));
    }
}
