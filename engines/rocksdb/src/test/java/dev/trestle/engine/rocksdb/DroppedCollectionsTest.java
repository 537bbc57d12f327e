package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Metric;
import dev.trestle.engine.content.FileSystemContentStore;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.QueueName;
import dev.trestle.queue.QueueService;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** Memory held for cleared queues and deleted containers, after many thousands of them. */
class DroppedCollectionsTest {
    private static final String ACCOUNT = "account";
    private static final InstantSource CLOCK = InstantSource.system();
    private static final int CLEARS = 30_000;

    /** After so many, classes are loaded and code is compiled. */
    private static final int CLEARS_BEFORE = 10_000;

    /** Less than half the size of a set entry. */
    private static final long HEAP_BYTES_PER_CLEAR_MAX = 25;

    private static final int CONTAINERS = 1000;

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static RocksEngine open() {
        return RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(32 << 20), CLOCK);
    }

    private static double dropped(RocksEngine engine) {
        return engine.telemetry().metrics().stream()
                .filter(figure -> figure.name().equals("engine.collections.dropped"))
                .map(Metric::value)
                .findFirst()
                .orElseThrow()
                .getAsDouble();
    }

    /** Waits for work that continues after its request has completed. */
    private static void awaitZero(DoubleSupplier held) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (held.getAsDouble() > 0) {
            assertThat(System.nanoTime() - deadline)
                    .as("%s are held", held.getAsDouble())
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void clearing_queues_under_their_writers_for_long_leaves_nothing_in_memory() throws Exception {
        QueueName name = new QueueName("jobs");
        try (RocksEngine engine = open()) {
            Catalogue catalogue = new Catalogue(Service.QUEUE, engine, CLOCK, new Random(7));
            QueueService queues = new QueueService(engine, catalogue, CLOCK, new Random(8));
            await(queues.create(ACCOUNT, name, Map.of()));
            clear(queues, name, CLEARS_BEFORE);
            awaitZero(() -> dropped(engine));
            long heapBefore = heapInUse();
            clear(queues, name, CLEARS);
            awaitZero(() -> dropped(engine));
            assertThat(heapInUse() - heapBefore).isLessThan(CLEARS * HEAP_BYTES_PER_CLEAR_MAX);
        }
    }

    private static void clear(QueueService queues, QueueName name, int times) throws Exception {
        List<CompletableFuture<?>> puts = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            if (i % 100 == 0) {
                puts.add(queues.put(ACCOUNT, name, "text", 0, Integer.MAX_VALUE).toCompletableFuture());
            }
            await(queues.clear(ACCOUNT, name));
        }
        for (CompletableFuture<?> put : puts) {
            await(put);
        }
        await(queues.clear(ACCOUNT, name));
        assertThat(await(queues.peek(ACCOUNT, name, 32))).isEmpty();
    }

    /** Returns the minimum of several measurements, because garbage of other threads is not a leak. */
    private static long heapInUse() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @Test
    void deleting_containers_under_their_uploads_leaves_nothing_in_memory() throws Exception {
        ContainerName name = new ContainerName("pictures");
        BlobAddress address = new BlobAddress(ACCOUNT, name, new BlobName("summer"));
        try (RocksEngine engine = open();
                FileSystemContentStore store = (FileSystemContentStore) LocalContentStore.openTemporary()) {
            Catalogue catalogue = new Catalogue(Service.BLOB, engine, CLOCK, new Random(7)).with(store);
            BlobService blobs = new BlobService(engine, store, catalogue, CLOCK, new Random(8), trouble -> {});
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = 0; i < CONTAINERS; i++) {
                await(blobs.containers().create(ACCOUNT, name, Map.of(), PublicAccess.NONE));
                if (i % 10 == 0) {
                    puts.add(put(blobs, address)
                            .handle((made, failure) -> failure)
                            .toCompletableFuture());
                }
                await(blobs.containers().delete(ACCOUNT, name, AccessConditions.NONE));
            }
            for (CompletableFuture<?> put : puts) {
                await(put);
            }
            awaitZero(() -> dropped(engine));
            // An unreferenced content is deleted after its request has completed.
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (store.held() > 0) {
                assertThat(System.nanoTime() - deadline)
                        .as("held %s", store.held())
                        .isNegative();
                Thread.onSpinWait();
            }
        }
    }

    private static CompletionStage<?> put(BlobService blobs, BlobAddress address) {
        NewBlob made = new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), AccessConditions.NONE, true);
        return blobs.upload(address)
                .thenCompose(upload -> upload.write(ByteBuffer.allocate(StagedContent.IN_MEMORY_BYTES_MAX + 1))
                        .thenCompose(written -> upload.finish()))
                .thenCompose(staged -> blobs.blocks().put(address, made, staged));
    }
}
