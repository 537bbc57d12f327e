package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of log blobs, such as {@code table/2026/03/02/1000/000000.log}. */
final class LogName {
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("uuuu/MM/dd/HH'00/'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern NUMBER = Pattern.compile("/([0-9]{6,9})\\.log$");

    private LogName() {}

    /** Returns the prefix of all logs of a service. */
    static String prefix(Service service) {
        return service.word() + "/";
    }

    /** Returns the prefix of all logs of a service in an hour. */
    static String prefix(Service service, Instant hour) {
        return prefix(service) + HOUR.format(hour);
    }

    static String of(String hourPrefix, int number) {
        return hourPrefix + String.format(Locale.ROOT, "%06d", number) + ".log";
    }

    /** Returns the number of a log within its hour; empty for other blobs. */
    static OptionalInt number(String name) {
        Matcher matcher = NUMBER.matcher(name);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
