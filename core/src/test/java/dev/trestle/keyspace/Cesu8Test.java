package dev.trestle.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class Cesu8Test {
    @Test
    void every_code_unit_round_trips_alone_and_between_others() {
        for (int unit = 0; unit <= 0xFFFF; unit++) {
            String alone = String.valueOf((char) unit);
            byte[] encoded = Cesu8.encode(alone);
            assertThat(Cesu8.decode(encoded, 0, encoded.length)).isEqualTo(alone);
            assertThat(Cesu8.length(alone)).isEqualTo(encoded.length);
            byte[] between = Cesu8.encode("a" + alone + "\u00E9");
            assertThat(Cesu8.decode(between, 1, between.length - 3)).isEqualTo(alone);
        }
    }

    @Test
    void the_basic_plane_is_written_as_in_utf8() {
        String text = "az\u007F\u0080\u00E9\u07FF\u0800\u4E2D\uE000\uFFFF";
        assertThat(Cesu8.encode(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_supplementary_character_is_written_as_its_two_surrogates() {
        assertThat(Cesu8.encode("\uD83D\uDE00")).containsExactly(0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80);
    }

    @Test
    void byte_order_is_ordinal_order_and_units_are_counted() {
        RandomText texts = new RandomText(1);
        for (int i = 0; i < 100_000; i++) {
            String a = texts.next();
            String b = texts.next();
            byte[] encodedA = Cesu8.encode(a);
            byte[] encodedB = Cesu8.encode(b);
            assertThat(Integer.signum(Arrays.compareUnsigned(encodedA, encodedB)))
                    .isEqualTo(Integer.signum(a.compareTo(b)));
            assertThat(Cesu8.units(encodedA, 0, encodedA.length)).isEqualTo(a.length());
            assertThat(Cesu8.decode(encodedA, 0, encodedA.length)).isEqualTo(a);
        }
    }
}
