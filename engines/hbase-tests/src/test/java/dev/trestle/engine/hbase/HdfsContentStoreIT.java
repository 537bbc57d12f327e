package dev.trestle.engine.hbase;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Durability;
import dev.trestle.testkit.ContentStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The content store contract on HDFS, with small blocks, so that contents have many. */
class HdfsContentStoreIT {
    /** The minimum of a name node. */
    private static final int BLOCK_BYTES = 1 << 20;

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    @TempDir
    private static Path settings;

    private final String namespace = "contents" + NAMESPACES.incrementAndGet();
    private Duration passed = Duration.ZERO;

    @BeforeAll
    static void chooseSmallBlocks() throws IOException {
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
            Files.copy(TestCluster.settingsWithFiles().resolve(file), settings.resolve(file));
        }
        Path hdfs = settings.resolve("hdfs-site.xml");
        Files.writeString(
                hdfs,
                Files.readString(hdfs)
                        .replace(
                                "</configuration>",
                                "<property><name>dfs.blocksize</name><value>" + BLOCK_BYTES
                                        + "</value></property></configuration>"));
    }

    private ContentStore openStore(Durability durability) {
        HBaseEngineConfig config = HBaseEngineConfig.at(settings)
                .withNamespace(namespace)
                .withDurability(durability)
                .withLateWriterGrace(Duration.ZERO);
        return HdfsContentStore.open(config, () -> Instant.now().plus(passed));
    }

    @Nested
    class Synced extends ContentStoreContract {
        @Override
        protected ContentStore open() {
            return openStore(Durability.SYNCED);
        }

        @Override
        protected void grow() {
            passed = passed.plusDays(2);
        }

        @Override
        protected int many() {
            return 40;
        }

        @Override
        protected boolean readsDeleted() {
            // Data nodes delete the blocks shortly afterwards.
            return false;
        }

        @ParameterizedTest
        @EnumSource
        void a_content_of_many_blocks_is_read_across_them(Durability durability) {
            store.close();
            store = openStore(durability);
            byte[] bytes = bytes(5 * BLOCK_BYTES + 12_345);
            put(COLLECTION, "c", bytes);
            assertHolds(COLLECTION, "c", bytes);
            await(store.copy(COLLECTION, "c", OTHER, "d", new byte[] {1}));
            assertHolds(OTHER, "d", bytes);
        }
    }
}
