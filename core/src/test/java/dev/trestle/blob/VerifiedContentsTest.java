package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ContentStore;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class VerifiedContentsTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;
    private static final byte[] BYTES = {1, 2, 3};

    private final AtomicLong nanos = new AtomicLong(7);
    private final VerifiedContents verified = new VerifiedContents(nanos::get);

    /** Some bytes in memory. */
    private record Memory(long stamp) implements ContentStore.Source {
        @Override
        public CompletionStage<Void> read(long position, ByteBuffer into) {
            into.put(BYTES, (int) position, into.remaining());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public Optional<FileChannel> file() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static Part part(long crc64) {
        return new Part("", BYTES.length, crc64, new Part.Stored("a"));
    }

    private static Part part() {
        Crc64 crc64 = new Crc64();
        crc64.update(BYTES, 0, BYTES.length);
        return part(crc64.value());
    }

    private void verify(ContentStore.Source source) {
        assertThat(verified.verify(CONTAINER, "a", source, part()).toCompletableFuture())
                .isCompleted();
    }

    @Test
    void a_match_is_known_until_the_file_changes() {
        Memory source = new Memory(1);
        assertThat(verified.isKnown(CONTAINER, "a", source)).isFalse();
        verify(source);
        assertThat(verified.isKnown(CONTAINER, "a", source)).isTrue();
        assertThat(verified.isKnown(CONTAINER, "b", source)).isFalse();
        assertThat(verified.isKnown(CONTAINER + 1, "a", source)).isFalse();
        assertThat(verified.isKnown(CONTAINER, "a", new Memory(2))).isFalse();
    }

    @Test
    void a_match_is_known_for_an_hour() {
        Memory source = new Memory(1);
        verify(source);
        nanos.addAndGet(Duration.ofMinutes(59).toNanos());
        assertThat(verified.isKnown(CONTAINER, "a", source)).isTrue();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(verified.isKnown(CONTAINER, "a", source)).isFalse();
    }

    @Test
    void damage_is_counted_and_never_known_as_a_match() {
        Memory source = new Memory(1);
        assertThatThrownBy(() -> verified.verify(CONTAINER, "a", source, part(0))
                        .toCompletableFuture()
                        .join())
                .hasCauseInstanceOf(ContentDamagedException.class);
        assertThat(verified.damaged()).isEqualTo(1);
        assertThat(verified.isKnown(CONTAINER, "a", source)).isFalse();
    }
}
