package dev.trestle.blob;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trestle.engine.ContentStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Compares contents with the checksums in their rows as they are read. Caches matches for an hour, so that the
 * kernel can send a file that is read often. Thread-safe.
 */
final class VerifiedContents {
    /** Contents up to this length may be verified before any byte is sent. */
    static final long AHEAD_BYTES_MAX = 8L << 20;

    /** Contents up to this length are verified whichever range is requested. */
    static final long SMALL_BYTES_MAX = 256 * 1024;

    /** Of longer ones, the range has to be at least this fraction: a small range must not cost a large read. */
    static final int WANTED_FRACTION = 4;

    private static final int MATCHES_MAX = 16_384;
    private static final Duration MATCH_TTL = Duration.ofHours(1);

    private record Name(long container, String content) {}

    /** The stamps of the files that matched. */
    private final Cache<Name, Long> matches;

    private final LongAdder damaged = new LongAdder();

    /** @param nanoTime elapsed time, like {@link System#nanoTime} */
    VerifiedContents(LongSupplier nanoTime) {
        matches = Caffeine.newBuilder()
                .maximumSize(MATCHES_MAX)
                .expireAfterWrite(MATCH_TTL)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    /** Returns whether the content matched its checksum in the last hour and its file has not changed since. */
    boolean isKnown(long container, String content, ContentStore.Source source) {
        Long stamp = matches.getIfPresent(new Name(container, content));
        return stamp != null && stamp == source.stamp();
    }

    /** Returns whether to verify a local file before any of it is sent, given its length and that of the range. */
    static boolean isWorthReading(ContentStore.Source source, long length, long wanted) {
        return source.file().isPresent()
                && length <= AHEAD_BYTES_MAX
                && (length <= SMALL_BYTES_MAX || wanted >= length / WANTED_FRACTION);
    }

    /** Reads the whole content. Fails with {@link ContentDamagedException} if its checksum differs. */
    CompletionStage<Void> verify(long container, String content, ContentStore.Source source, Part part) {
        Crc64 crc64 = new Crc64();
        return source.readAll(part.length(), crc64::update).thenCompose(read -> {
            require(container, content, source, part, crc64);
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Compares the checksum of all bytes of a content.
     *
     * @throws ContentDamagedException if it differs
     */
    void require(long container, String content, ContentStore.Source source, Part part, Crc64 crc64) {
        if (crc64.value() != part.crc64()) {
            damaged.increment();
            throw new ContentDamagedException(container, content, part.length());
        }
        matches.put(new Name(container, content), source.stamp());
    }

    /** The number of contents whose checksum differed. */
    long damaged() {
        return damaged.sum();
    }
}
