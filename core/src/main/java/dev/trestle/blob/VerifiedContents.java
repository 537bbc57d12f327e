package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compares contents with the checksums in their rows as they are read, and remembers for an hour those that matched, so
 * that a file that is read often can be sent by the kernel. For any thread.
 */
final class VerifiedContents {
    /** What is at most so long is read before anything is sent. */
    static final long AHEAD_BYTES_MAX = 8L << 20;

    /** What is at most so long is read whole whatever range of it is wanted. */
    static final long SMALL_BYTES_MAX = 256 * 1024;

    /** Else this part of a content has to be wanted, one in so many: small ranges must not cost a large read each. */
    static final int WANTED_FRACTION = 4;

    private static final int REMEMBERED_MAX = 16_384;
    private static final long REMEMBERED_NANOS = TimeUnit.HOURS.toNanos(1);

    private record Name(long container, String content) {}

    private record Match(long stamp, long nanos) {}

    /** Those used last behind the others; guarded by itself. */
    private final Map<Name, Match> matches = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Match> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    private final LongAdder damaged = new LongAdder();

    /** Whether the content matched its checksum not long ago, and its file has not been touched since. */
    boolean isKnown(long container, String content, ContentStore.Source source) {
        Name name = new Name(container, content);
        synchronized (matches) {
            Match match = matches.get(name);
            if (match == null) {
                return false;
            }
            if (match.stamp == source.stamp() && System.nanoTime() - match.nanos < REMEMBERED_NANOS) {
                return true;
            }
            matches.remove(name);
            return false;
        }
    }

    /**
     * Whether to read a content before any of it is sent: it is short, lies on this machine, and what is wanted of it is
     * worth that.
     */
    static boolean isWorthReading(ContentStore.Source source, long length, long wanted) {
        return source.file().isPresent()
                && length <= AHEAD_BYTES_MAX
                && (length <= SMALL_BYTES_MAX || wanted >= length / WANTED_FRACTION);
    }

    /** Reads the content; fails with {@link ContentDamagedException} if it is not what was written. */
    CompletionStage<Void> verify(long container, String content, ContentStore.Source source, Part part) {
        Crc64 crc64 = new Crc64();
        return source.readAll(part.length(), crc64::update).thenCompose(read -> {
            require(container, content, source, part, crc64);
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Takes the checksum of all of the content's bytes. */
    void require(long container, String content, ContentStore.Source source, Part part, Crc64 crc64) {
        if (crc64.value() != part.crc64()) {
            damaged.increment();
            throw new ContentDamagedException(container, content, part.length());
        }
        synchronized (matches) {
            matches.put(new Name(container, content), new Match(source.stamp(), System.nanoTime()));
        }
    }

    /** How often a content was not what was written. */
    long damaged() {
        return damaged.sum();
    }
}
