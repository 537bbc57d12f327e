package dev.trestle.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TicksTest {
    @Test
    void http_dates_are_those_of_the_formatter() {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                .withZone(ZoneOffset.UTC);
        for (long day = 0; day * Ticks.PER_DAY <= Ticks.MAX; day += 13) {
            long ticks = Math.min(Ticks.MAX, day * Ticks.PER_DAY + day % 86_400 * Ticks.PER_SECOND + 9_999_999);
            assertThat(Ticks.formatHttp(ticks)).isEqualTo(formatter.format(Ticks.toInstant(ticks)));
        }
        assertThat(Ticks.formatHttp(Ticks.MAX)).isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
    }

    private static final DateTimeFormatter SEVEN_DIGITS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'").withZone(ZoneOffset.UTC);
    private final SplittableRandom random = new SplittableRandom(5);

    @Test
    void random_moments_print_and_parse_as_java_time_has_them() {
        for (int i = 0; i < 100_000; i++) {
            long ticks = random.nextLong(Ticks.MAX + 1);
            String text = Ticks.format(ticks, true);
            assertThat(text).isEqualTo(SEVEN_DIGITS.format(Ticks.toInstant(ticks)));
            assertThat(Ticks.parse(text)).hasValue(ticks);
            assertThat(Ticks.parse(Ticks.format(ticks, false))).hasValue(ticks);
            assertThat(Ticks.of(Ticks.toInstant(ticks))).isEqualTo(ticks);
        }
    }

    @Test
    void every_day_of_the_range_prints_as_its_date() {
        LocalDateTime day = LocalDateTime.of(1601, 1, 1, 0, 0);
        for (long ticks = 0; ticks <= Ticks.MAX; ticks += 86_400L * Ticks.PER_SECOND) {
            assertThat(Ticks.format(ticks, false)).startsWith(day.toLocalDate().toString());
            day = day.plusDays(1);
        }
        assertThat(day.getYear()).isEqualTo(10_000);
    }

    @Test
    void offsets_are_taken_off() {
        for (int i = 0; i < 20_000; i++) {
            Instant instant = Ticks.toInstant(random.nextLong(Ticks.PER_SECOND * 86_400, Ticks.MAX));
            OffsetDateTime there =
                    instant.atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-14 * 60, 14 * 60 + 1)));
            String text = there.format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSxxx"));
            if (there.getYear() <= 9999) {
                assertThat(Ticks.parse(text)).as(text).hasValue(Ticks.of(instant));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-02, 2026-03-02T00:00:00Z",
        "2026-03-02Z, 2026-03-02T00:00:00Z",
        "2026-03-02T10:20, 2026-03-02T10:20:00Z",
        "2026-03-02T10:20Z, 2026-03-02T10:20:00Z",
        "2026-03-02t10:20:30z, 2026-03-02T10:20:30Z",
        "2026-03-02 10:20:30, 2026-03-02T10:20:30Z",
        "2026-03-02T10:20:30.5, 2026-03-02T10:20:30.5Z",
        "2026-03-02T10:20:30.1234567Z, 2026-03-02T10:20:30.1234567Z",
        "2026-03-02T10:20:30.123456789Z, 2026-03-02T10:20:30.1234567Z",
        "2026-03-02T10:20:30.0000000Z, 2026-03-02T10:20:30Z",
        "2026-03-02T10:20:30.0606250Z, 2026-03-02T10:20:30.060625Z",
        "2026-03-02T01:00+02:00, 2026-03-01T23:00:00Z",
        "2026-12-31T23:30-01:00, 2027-01-01T00:30:00Z",
        "2024-02-29, 2024-02-29T00:00:00Z",
        "2000-02-29, 2000-02-29T00:00:00Z",
        "1601-01-01T00:00:00Z, 1601-01-01T00:00:00Z",
        "9999-12-31T23:59:59.9999999Z, 9999-12-31T23:59:59.9999999Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    })
    void a_time_prints_in_utc_with_the_digits_it_needs(String text, String printed) {
        assertThat(Ticks.format(Ticks.parse(text).orElseThrow(), false)).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026",
                "2026-3-02",
                "2026-03-2",
                "2026-00-01",
                "2026-13-01",
                "2026-01-00",
                "2026-01-32",
                "2026-04-31",
                "2023-02-29",
                "1900-02-29",
                "0000-01-01",
                "2026/03/02",
                "2026-03-02T",
                "2026-03-02T10",
                "2026-03-02T10:",
                "2026-03-02T1:20",
                "2026-03-02T24:00",
                "2026-03-02T10:60",
                "2026-03-02T10:20:60",
                "2026-03-02T10:20:",
                "2026-03-02T10:20:3",
                "2026-03-02T10:20:30.",
                "2026-03-02T10:20:30.Z",
                "2026-03-02T10:20:30ZZ",
                "2026-03-02T10:20:30+2:00",
                "2026-03-02T10:20:30+0200",
                "2026-03-02T10:20:30+15:00",
                "2026-03-02T10:20:30+02:60",
                "2026-03-02T10:20:30 Z",
                "2026-03-02X10:20",
                "-026-03-02",
                "20\u0662\u0666-03-02",
                "2026-03-02T10:20:30.12\u0663Z"
            })
    void what_is_no_time_is_not_read(String text) {
        assertThat(Ticks.parse(text)).isEmpty();
    }

    @Test
    void an_offset_may_lead_out_of_the_range_on_either_side() {
        assertThat(Ticks.parse("1601-01-01T00:00:00+00:01")).hasValue(-60 * Ticks.PER_SECOND);
        assertThat(Ticks.parse("1601-01-01T00:00:00-00:01")).hasValue(60 * Ticks.PER_SECOND);
        assertThat(Ticks.parse("9999-12-31T23:59:59.9999999-00:01")).hasValue(Ticks.MAX + 60 * Ticks.PER_SECOND);
        assertThat(Ticks.parse("1600-12-31T23:59:59.9999999Z")).hasValue(-1);
    }
}
