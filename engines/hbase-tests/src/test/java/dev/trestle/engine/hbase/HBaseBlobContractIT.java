package dev.trestle.engine.hbase;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.testkit.AllBlobContracts;
import java.time.Duration;
import java.time.InstantSource;

/** Blobs on a real cluster: rows in HBase, and larger contents in its file system. */
class HBaseBlobContractIT extends AllBlobContracts {
    private static HBaseEngineConfig config() {
        return HBaseEngineConfig.at(TestCluster.settingsWithFiles()).withLateWriterGrace(Duration.ZERO);
    }

    @Override
    public Engine open(InstantSource clock) {
        return HBaseEngine.open(config(), clock);
    }

    @Override
    public ContentStore openContents() {
        return HdfsContentStore.open(config(), InstantSource.system());
    }

    @Override
    public boolean damageContents() {
        // Data nodes would detect the damage before the scrub.
        return false;
    }
}
