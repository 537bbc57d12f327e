package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;

/** Compares checksums of random bytes in random pieces with a bit-by-bit implementation of the definition. */
class Crc64PropertyTest {
    private static final int LENGTH_MAX = 300;

    private final long seed = Long.getLong("trestle.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final byte[] bytes = new byte[random.nextInt(LENGTH_MAX)];

    Crc64PropertyTest() {
        random.nextBytes(bytes);
    }

    private static long byDefinition(byte[] bytes) {
        long crc = -1;
        for (byte next : bytes) {
            crc ^= next & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ 0x9A6C9329AC4BC9B5L;
            }
        }
        return ~crc;
    }

    private long crc(int from, int to) {
        Crc64 crc = new Crc64();
        crc.update(bytes, from, to - from);
        return crc.value();
    }

    @RepeatedTest(500)
    void pieces_of_any_kind_and_length_give_the_checksum_of_the_whole() {
        Crc64 crc = new Crc64();
        for (int at = 0; at < bytes.length; ) {
            int next = at + 1 + random.nextInt(bytes.length - at);
            switch (random.nextInt(4)) {
                case 0 -> crc.update(bytes, at, next - at);
                case 1 -> crc.update(ByteBuffer.wrap(bytes, at, next - at).slice());
                case 2 -> crc.update(ByteBuffer.wrap(bytes, at, next - at).asReadOnlyBuffer());
                default -> crc.update(ByteBuffer.allocateDirect(next - at).put(0, bytes, at, next - at));
            }
            at = next;
        }
        assertThat(crc.value()).as("seed %d", seed).isEqualTo(byDefinition(bytes));
    }

    @RepeatedTest(500)
    void checksums_of_two_pieces_combine_to_that_of_the_whole() {
        int cut = random.nextInt(bytes.length + 1);
        assertThat(Crc64.combine(crc(0, cut), crc(cut, bytes.length), bytes.length - cut))
                .as("seed %d", seed)
                .isEqualTo(byDefinition(bytes));
    }
}
