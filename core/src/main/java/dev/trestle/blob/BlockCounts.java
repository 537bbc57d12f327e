package dev.trestle.blob;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trestle.keyspace.Key;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cache of the number of uncommitted blocks per blob. A count is taken by a scan of all blocks, and then
 * incremented. Removed blocks are not subtracted, so a count that reaches the limit is taken again. Where other
 * processes put blocks to the same blob, slightly more blocks than the limit may be accepted. Thread-safe.
 */
final class BlockCounts {
    private static final int BLOBS_MAX = 1000;

    private final BlobRowStore rows;
    private final int blocksMax;

    private final Cache<Key, Integer> counts =
            Caffeine.newBuilder().maximumSize(BLOBS_MAX).executor(Runnable::run).build();

    BlockCounts(BlobRowStore rows, int blocksMax) {
        this.rows = rows;
        this.blocksMax = blocksMax;
    }

    private static Key key(long container, String name) {
        return BlobRowCodec.key(container, name, OptionalLong.empty());
    }

    /** Fails if the blob has as many uncommitted blocks as it may have. */
    CompletionStage<Void> room(long container, String name) {
        Integer known = counts.getIfPresent(key(container, name));
        if (known != null && known < blocksMax) {
            return CompletableFuture.completedFuture(null);
        }
        AtomicInteger blocks = new AtomicInteger();
        return rows.each(BlobRowCodec.blocks(container, name), (key, row) -> blocks.incrementAndGet())
                .thenAccept(all -> {
                    counts.put(key(container, name), blocks.get());
                    if (blocks.get() >= blocksMax) {
                        throw new StorageException(StorageError.BLOCK_COUNT_EXCEEDS_LIMIT);
                    }
                });
    }

    /** Counts a block that was put. */
    void added(long container, String name) {
        counts.asMap().computeIfPresent(key(container, name), (blob, known) -> known + 1);
    }
}
