package dev.trestle.server.admin;

import dev.trestle.server.pipeline.RequestSummary;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Formats a finished request as one line. Only listed fields are shown; of the query parameters, only query
 * options. Each field has a maximum length. Texts from the client are searched for signatures and other
 * credentials, which are redacted.
 */
final class AccessLogLine {
    private static final int ACCOUNT_UNITS_MAX = 64;
    private static final int CLIENT_REQUEST_ID_UNITS_MAX = 128;
    private static final int FILTER_UNITS_MAX = 512;
    private static final int PLAN_UNITS_MAX = 512;
    private static final int SELECT_UNITS_MAX = 256;
    private static final int TOP_UNITS_MAX = 16;

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern SECRET_VALUE =
            Pattern.compile("\\b(sig|signature|AccountKey)(=|%3D)[^&;\\s'\"]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern CREDENTIALS =
            Pattern.compile("\\b(SharedKey|SharedKeyLite|Bearer)\\s+[^\\s'\"]+", Pattern.CASE_INSENSITIVE);

    /** The last formatted second, cached because most lines have the same second as the line before. */
    private static volatile Second latest = new Second(Long.MIN_VALUE, "");

    private record Second(long epoch, String text) {}

    private final AccessLogFormat format;
    private final StringBuilder line = new StringBuilder(320);

    private AccessLogLine(AccessLogFormat format) {
        this.format = format;
    }

    /** Returns the line with its line end. */
    static String of(AccessLogFormat format, Instant time, RequestSummary request) {
        AccessLogLine made = new AccessLogLine(format);
        made.fields(time, request);
        return made.end();
    }

    private void fields(Instant time, RequestSummary request) {
        text("time", time(time));
        text("requestId", request.id());
        text("clientRequestId", request.clientRequestId(), CLIENT_REQUEST_ID_UNITS_MAX);
        text("clientAddress", request.clientAddress());
        text("account", Optional.of(request.account()), ACCOUNT_UNITS_MAX);
        text("operation", request.operation().name());
        request.resource().ifPresent(name -> text(request.service().word(), name));
        bare("status", Integer.toString(request.status()));
        request.error().ifPresent(error -> text("errorCode", error.code()));
        bare("milliseconds", milliseconds(request.nanos()));
        bare("bytesIn", Long.toString(request.bytesIn()));
        bare("bytesOut", Long.toString(request.bytesOut()));
        request.plan().ifPresent(plan -> {
            text("plan", Optional.of(plan.toString()), PLAN_UNITS_MAX);
            bare("rowsExamined", Long.toString(request.rowsExamined()));
            bare("rowsReturned", Long.toString(request.rowsReturned()));
        });
        text("filter", request.query().find("$filter"), FILTER_UNITS_MAX);
        text("top", request.query().find("$top"), TOP_UNITS_MAX);
        text("select", request.query().find("$select"), SELECT_UNITS_MAX);
    }

    private static String time(Instant time) {
        Second second = latest;
        if (second.epoch != time.getEpochSecond()) {
            second = new Second(time.getEpochSecond(), SECOND.format(time));
            latest = second;
        }
        return second.text + threeDigits(time.getNano() / 1_000_000) + "Z";
    }

    private static String milliseconds(long nanos) {
        long micros = nanos / 1_000;
        return micros / 1_000 + "." + threeDigits(micros % 1_000);
    }

    private static String threeDigits(long number) {
        return (number < 10 ? "00" : number < 100 ? "0" : "") + number;
    }

    /** Appends a text from the client, truncated and redacted; omits it if it is empty. */
    private void text(String name, Optional<String> clients, int unitsMax) {
        clients.filter(value -> !value.isEmpty()).ifPresent(value -> {
            String cut = value.length() <= unitsMax ? value : value.substring(0, unitsMax) + "...";
            text(name, redacted(cut));
        });
    }

    static String redacted(String text) {
        if (isName(text)) {
            // A credential contains a character that is no letter, digit or dash.
            return text;
        }
        String withoutValues = SECRET_VALUE.matcher(text).replaceAll("$1$2***");
        return CREDENTIALS.matcher(withoutValues).replaceAll("$1 ***");
    }

    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    private void text(String name, String value) {
        name(name);
        switch (format) {
            case TEXT -> {
                if (isPlain(value)) {
                    line.append(value);
                } else {
                    quoted(value);
                }
            }
            case JSON -> quoted(value);
        }
    }

    private void bare(String name, String value) {
        name(name);
        line.append(value);
    }

    private void name(String name) {
        switch (format) {
            case TEXT -> line.append(line.isEmpty() ? "" : " ").append(name).append('=');
            case JSON ->
                line.append(line.isEmpty() ? "{\"" : ",\"").append(name).append("\":");
        }
    }

    private String end() {
        switch (format) {
            case TEXT -> line.append('\n');
            case JSON -> line.append("}\n");
        }
        return line.toString();
    }

    private static boolean isPlain(String value) {
        return !value.isEmpty()
                && value.chars().allMatch(c -> c > 0x20 && c < 0x7F && c != '"' && c != '=' && c != '\\');
    }

    /** Appends a JSON string. Line ends, control characters and bidirectional marks are escaped. */
    private void quoted(String value) {
        line.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
                line.append(c);
            } else if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (Character.isISOControl(c)
                    || Character.isSurrogate(c)
                    || Character.getType(c) == Character.FORMAT
                    || c == '\u2028'
                    || c == '\u2029') {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}
