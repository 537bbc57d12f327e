package dev.trestle.server.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {

    @Test
    void what_clients_print_is_read_back() {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            Instant instant = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
            assertThat(HttpDate.parse(form.format(instant.atOffset(ZoneOffset.UTC))))
                    .contains(instant);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mon, 2 Mar 2026 10:00:00 GMT", "Mon, 2 Mar 2026 12:00:00 +0200"})
    void the_looser_forms_of_the_mail_format_are_read_too(String text) {
        assertThat(HttpDate.parse(text)).contains(Instant.parse("2026-03-02T10:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-03-02T10:00:00Z",
                "Mon, 32 Mar 2026 10:00:00 GMT",
                "Mon, 02 anF 2026 10:00:00 GMT",
                "Mon, 02 Mar 2026 24:00:00 GMT",
                "Mon, 02 Mar 2O26 10:00:00 GMT"
            })
    void anything_else_is_no_date(String text) {
        assertThat(HttpDate.parse(text)).isEmpty();
    }
}
