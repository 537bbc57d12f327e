package dev.trestle.blob;

import dev.trestle.keyspace.Key;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many blocks wait to be committed, of the blobs that blocks were put to lately. A count is taken once by looking
 * at all blocks and then kept up; what goes makes it too great, so at the limit it is taken again. Where other processes
 * put blocks to the same blob, a few more than the limit may get in. For any thread.
 */
final class BlockCounts {
    private static final int BLOBS_MAX = 1000;

    private final BlobRowStore rows;
    private final int blocksMax;

    /** Those used last behind the others; guarded by itself. */
    private final Map<Key, Integer> counts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Integer> eldest) {
            return size() > BLOBS_MAX;
        }
    };

    BlockCounts(BlobRowStore rows, int blocksMax) {
        this.rows = rows;
        this.blocksMax = blocksMax;
    }

    private static Key key(long container, String name) {
        return BlobRowCodec.key(container, name, OptionalLong.empty());
    }

    /** Fails when there is no room for another block. */
    CompletionStage<Void> room(long container, String name) {
        synchronized (counts) {
            Integer known = counts.get(key(container, name));
            if (known != null && known < blocksMax) {
                return CompletableFuture.completedFuture(null);
            }
        }
        AtomicInteger blocks = new AtomicInteger();
        return rows.each(BlobRowCodec.blocks(container, name), (key, row) -> blocks.incrementAndGet())
                .thenAccept(all -> {
                    synchronized (counts) {
                        counts.put(key(container, name), blocks.get());
                    }
                    if (blocks.get() >= blocksMax) {
                        throw new StorageException(StorageError.BLOCK_COUNT_EXCEEDS_LIMIT);
                    }
                });
    }

    /** There is one more. */
    void added(long container, String name) {
        synchronized (counts) {
            counts.computeIfPresent(key(container, name), (blob, known) -> known + 1);
        }
    }
}
