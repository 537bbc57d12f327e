package dev.trestle.server.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.model.ETag;
import dev.trestle.model.Ticks;
import dev.trestle.server.table.json.ETagText;
import dev.trestle.testkit.Gen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireBufferTest {
    private final SplittableRandom random = new SplittableRandom(11);

    private static String text(WireBuffer buffer) {
        return new String(buffer.toBytes(), StandardCharsets.UTF_8);
    }

    private static WireBuffer buffer() {
        return new WireBuffer(0);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 5.0",
        "-5, -5.0",
        "0, 0.0",
        "0.5, 0.5",
        "123.456, 123.456",
        "0.001, 0.001",
        "0.0001, 0.0001",
        "0.00012, 0.00012",
        "0.00001, 1E-05",
        "0.0000123, 1.23E-05",
        "1E-7, 1E-07",
        "1e-100, 1E-100",
        "1E7, 10000000.0",
        "12345678.5, 12345678.5",
        "1e14, 100000000000000.0",
        "123456789012345, 123456789012345.0",
        "1e15, 1E+15",
        "-1e15, -1E+15",
        "1234567890123456, 1.234567890123456E+15",
        "1E22, 1E+22",
        "1.7976931348623157E308, 1.7976931348623157E+308",
        "4.9E-324, 4.9E-324",
        "2.2250738585072014E-308, 2.2250738585072014E-308",
        "9007199254740993, 9.007199254740992E+15",
        "0.1, 0.1",
        "2E-3, 0.002",
        "2.0E-3, 0.002"
    })
    void doubles_are_laid_out_as_dot_net_does(double value, String layout) {
        assertThat(text(buffer().real(value))).isEqualTo(layout);
    }

    @Test
    void every_finite_double_reads_back_as_itself() {
        for (int i = 0; i < 200_000; i++) {
            double value = i % 2 == 0
                    ? Double.longBitsToDouble(random.nextLong())
                    : random.nextInt(2_000_000) / 1000.0 * Math.pow(10, random.nextInt(-20, 20));
            if (Double.isFinite(value)) {
                String text = text(buffer().real(value));
                assertThat(Double.parseDouble(text)).isEqualTo(value);
                assertThat(text).matches("-?\\d+(\\.\\d+)?(E[+-]\\d{2,3})?").containsAnyOf(".", "E");
            }
        }
    }

    @Test
    void numbers_print_as_java_prints_them() {
        for (long value : new long[] {
            0,
            9,
            10,
            99,
            100,
            -1,
            -10,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            999_999_999_999_999_999L,
            1_000_000_000_000_000_000L
        }) {
            assertThat(text(buffer().number(value))).isEqualTo(Long.toString(value));
        }
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            assertThat(text(buffer().number(value))).isEqualTo(Long.toString(value));
        }
    }

    @Test
    void strings_are_json_that_reads_back_as_the_same_units() throws IOException {
        Gen gen = new Gen(3);
        for (int i = 0; i < 10_000; i++) {
            String value = random(gen);
            byte[] json = buffer().string(value).toBytes();
            try (JsonParser parser = new JsonFactory().createParser(json)) {
                parser.nextToken();
                assertThat(parser.getText()).isEqualTo(value);
            }
        }
    }

    @Test
    void a_string_among_other_bytes_is_written_as_one_by_itself() {
        Gen gen = new Gen(5);
        for (int i = 0; i < 10_000; i++) {
            byte[] alone = Cesu8.encode(random(gen));
            int before = random.nextInt(10);
            byte[] among = new byte[before + alone.length + random.nextInt(10)];
            random.nextBytes(among);
            System.arraycopy(alone, 0, among, before, alone.length);
            assertThat(text(buffer().string(among, before, alone.length)))
                    .isEqualTo(text(buffer().string(alone, 0, alone.length)));
        }
    }

    private String random(Gen gen) {
        StringBuilder text = new StringBuilder(gen.keyText());
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x1_0000)));
        }
        return text.toString();
    }

    @Test
    void a_pair_of_surrogates_is_one_character_and_a_lone_one_an_escape() {
        assertThat(text(buffer().string("\uD83D\uDE00"))).isEqualTo("\"\uD83D\uDE00\"");
        assertThat(text(buffer().string("a\uD83Db"))).isEqualTo("\"a\\ud83db\"");
        assertThat(text(buffer().string("\uDE00\uD83D"))).isEqualTo("\"\\ude00\\ud83d\"");
        assertThat(text(buffer().string("\uD7FF\uE000"))).isEqualTo("\"\uD7FF\uE000\"");
    }

    @Test
    void control_characters_are_escaped() {
        assertThat(text(buffer().string("\"\\\n\r\t\b\f\u0000\u001F\u007F/")))
                .isEqualTo("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\\u007f/\"");
    }

    @Test
    void versions_have_the_form_of_entity_tags_and_times() {
        ETagText members = new ETagText();
        for (int i = 0; i < 100; i++) {
            long version = random.nextLong(Ticks.MAX);
            for (int again = 0; again < 2; again++) {
                members.of(version);
                assertThat(new String(members.etag(), StandardCharsets.US_ASCII))
                        .isEqualTo("\"odata.etag\":\"" + ETag.format(version).replace("\"", "\\\"") + "\"");
                assertThat(new String(members.timestamp(), StandardCharsets.US_ASCII))
                        .isEqualTo("\"Timestamp\":\"" + Ticks.format(version, true) + "\"");
            }
        }
    }

    @Test
    void guids_and_binaries_have_their_forms() {
        for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[20];
            random.nextBytes(bytes);
            UUID guid = new UUID(
                    java.nio.ByteBuffer.wrap(bytes).getLong(2),
                    java.nio.ByteBuffer.wrap(bytes).getLong(10));
            assertThat(text(buffer().guid(bytes, 2))).isEqualTo(guid.toString());
            assertThat(Base64.getDecoder().decode(text(buffer().base64(bytes, 3, i % 17))))
                    .isEqualTo(java.util.Arrays.copyOfRange(bytes, 3, 3 + i % 17));
        }
    }
}
