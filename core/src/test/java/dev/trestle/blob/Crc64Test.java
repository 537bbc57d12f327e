package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Crc64Test {
    private static long crc(byte[] bytes) {
        Crc64 crc = new Crc64();
        crc.update(bytes, 0, bytes.length);
        return crc.value();
    }

    @Test
    void it_has_the_check_value_of_its_catalogue_entry() {
        assertThat(crc("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xAE8B14860A799888L);
    }

    @ParameterizedTest
    @CsvSource({"'', AAAAAAAAAAA=", "123456789, iJh5CoYUi64=", "Hello World, YeJLfssylmU="})
    void it_is_sent_as_eight_bytes_with_the_lowest_first(String text, String sent) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Base64.getEncoder().encodeToString(Crc64.littleEndian(crc(bytes))))
                .isEqualTo(sent);
    }

    @Test
    void a_buffer_is_taken_from_its_position_to_its_limit() {
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(40), ByteBuffer.allocateDirect(40)}) {
            buffer.put(7, "123456789".getBytes(StandardCharsets.US_ASCII))
                    .position(7)
                    .limit(16);
            Crc64 crc = new Crc64();
            crc.update(buffer);
            assertThat(crc.value()).isEqualTo(0xAE8B14860A799888L);
            assertThat(buffer.position()).isEqualTo(16);
        }
    }

    @Test
    void reading_the_value_ends_nothing() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        Crc64 crc = new Crc64();
        crc.update(digits, 0, 4);
        assertThat(crc.value()).isNotEqualTo(0xAE8B14860A799888L);
        crc.update(digits, 4, 5);
        assertThat(crc.value()).isEqualTo(0xAE8B14860A799888L);
    }

    @Test
    void many_zero_bytes_are_joined_without_being_read() {
        long zeros = crc(new byte[1 << 10]);
        long length = 1 << 10;
        while (length < 1L << 40) {
            zeros = Crc64.combine(zeros, zeros, length);
            length *= 2;
        }
        // One step at a time gives the same as one of the whole length.
        long tail = crc(new byte[1 << 10]);
        assertThat(Crc64.combine(zeros, tail, 1 << 10)).isEqualTo(Crc64.combine(tail, zeros, length));
    }

    @Test
    void a_negative_length_is_a_bad_argument() {
        assertThatThrownBy(() -> Crc64.combine(1, 2, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
