package dev.trestle.engine.hbase;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.sandbox.Sandbox;
import dev.trestle.testkit.AllBlobContracts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Blobs on a real cluster: rows in HBase, and larger contents in its file system. One process has it to itself. */
class HBaseBlobContractIT extends AllBlobContracts {
    @TempDir
    private static Path settings;

    private static Sandbox sandbox;

    @BeforeAll
    static void start() throws IOException {
        Path[] made = new Path[1];
        sandbox = TestCluster.begin(folder -> {
            made[0] = folder.resolve("conf");
            return Sandbox.separate(folder, 1);
        });
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
            Files.copy(made[0].resolve(file), settings.resolve(file));
        }
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    private static HBaseEngineConfig config() {
        return HBaseEngineConfig.byConfiguration().withConfiguration(settings).withLateWriters(Duration.ZERO);
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
        // The data nodes would find it before the scrub does.
        return false;
    }
}
