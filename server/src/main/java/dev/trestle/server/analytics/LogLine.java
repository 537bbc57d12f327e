package dev.trestle.server.analytics;

import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import dev.trestle.server.pipeline.RequestDetails;
import dev.trestle.server.pipeline.RequestSummary;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats a finished request as a line of "Storage Analytics log format", version 1.0: thirty fields separated by
 * semicolons. Texts from the client are quoted and encoded, so that they cannot end a field, and truncated, so
 * that they cannot fill the buffer. Signatures are redacted.
 */
final class LogLine {
    static final String VERSION = "1.0";

    private static final int URL_UNITS_MAX = 8 * 1024;
    private static final int TEXT_UNITS_MAX = 1024;

    /** Since this protocol version, the status is the error code. */
    private static final String VERSION_WITH_ERRORS = "2017-04-17";

    private static final Pattern PROTOCOL_VERSION = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /** The name of the parameter may be percent-encoded, and a referrer is not decoded. */
    private static final Pattern SIGNATURE =
            Pattern.compile("((?:s|%73|%53)(?:i|%69|%49)(?:g|%67|%47)(?:=|%3D))[^&\\s]*", Pattern.CASE_INSENSITIVE);

    private static final List<String> CONDITIONS =
            List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since");

    private static final DateTimeFormatter LAST_MODIFIED =
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private final StringBuilder line = new StringBuilder(512);

    private LogLine() {}

    /** Returns the line with its line end. */
    static String of(RequestSummary request, Instant started) {
        LogLine made = new LogLine();
        made.fields(request, request.details(), started);
        return made.line.append('\n').toString();
    }

    private void fields(RequestSummary request, RequestDetails details, Instant started) {
        CredentialKind credential = CredentialKind.of(details.credentials());
        line.append(VERSION);
        plain(Ticks.format(Ticks.of(started), true));
        plain(request.operation().logName(request.service(), details));
        plain(status(request, credential));
        plain(Integer.toString(request.status()));
        plain(Long.toString(TimeUnit.NANOSECONDS.toMillis(request.nanos())));
        plain(Long.toString(serverMillis(request)));
        plain(credential.word());
        plain(credential == CredentialKind.OWNER ? request.account() : "");
        plain(request.account());
        plain(request.service().word());
        quoted(details.url(), URL_UNITS_MAX);
        quoted("/" + request.account() + details.rawResource(), URL_UNITS_MAX);
        plain(request.id());
        plain("0");
        plain(address(request));
        plain(version(request).orElse(""));
        plain(Long.toString(details.headBytes()));
        plain(Long.toString(request.bytesIn()));
        plain(Long.toString(details.responseHeadBytes()));
        plain(Long.toString(request.bytesOut()));
        plain(details.header("Content-Length")
                .filter(text -> LENGTH.matcher(text).matches())
                .orElse(Long.toString(request.bytesIn())));
        quoted(details.header("Content-MD5").orElse(""), TEXT_UNITS_MAX);
        quoted(details.responseHeader("Content-MD5").orElse(""), TEXT_UNITS_MAX);
        quoted(details.responseHeader("ETag").orElse(""), TEXT_UNITS_MAX);
        plain(details.responseHeader("Last-Modified").map(LogLine::date).orElse(""));
        quoted(conditions(details), TEXT_UNITS_MAX);
        quoted(details.header("User-Agent").orElse(""), TEXT_UNITS_MAX);
        quoted(details.header("Referer").orElse(""), TEXT_UNITS_MAX);
        quoted(request.clientRequestId().orElse(""), TEXT_UNITS_MAX);
    }

    private static String status(RequestSummary request, CredentialKind credential) {
        RequestStatus status = RequestStatus.of(request);
        Optional<String> error = request.error().map(StorageError::code);
        boolean showsErrors = version(request)
                .filter(version -> version.compareTo(VERSION_WITH_ERRORS) >= 0)
                .isPresent();
        return status == RequestStatus.CLIENT_OTHER_ERROR && error.isPresent() && showsErrors
                ? error.get()
                : credential.logPrefix() + status.word();
    }

    /** Returns the duration without the time in which the client read the response. */
    static long serverMillis(RequestSummary request) {
        return TimeUnit.NANOSECONDS.toMillis(
                Math.max(0, request.nanos() - request.details().sendingNanos()));
    }

    private static String address(RequestSummary request) {
        String host = request.clientAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":"
                + request.details().clientPort();
    }

    private static Optional<String> version(RequestSummary request) {
        return request.details()
                .header("x-ms-version")
                .filter(text -> PROTOCOL_VERSION.matcher(text).matches());
    }

    private static String conditions(RequestDetails details) {
        return CONDITIONS.stream()
                .flatMap(name -> details.header(name).map(value -> name + "=" + value).stream())
                .collect(Collectors.joining(";"));
    }

    private static String date(String http) {
        try {
            return LAST_MODIFIED.format(ZonedDateTime.parse(http, DateTimeFormatter.RFC_1123_DATE_TIME));
        } catch (DateTimeException e) {
            return "";
        }
    }

    private void plain(String value) {
        line.append(';').append(value);
    }

    /** Appends a field in quotes; an empty one has no quotes. */
    private void quoted(String value, int unitsMax) {
        line.append(';');
        if (value.isEmpty()) {
            return;
        }
        String shown = SIGNATURE.matcher(value).replaceAll("$1XXXXX");
        line.append('"');
        int end = Math.min(shown.length(), unitsMax);
        for (int i = 0; i < end; i++) {
            encoded(shown.charAt(i));
        }
        line.append('"');
    }

    private void encoded(char c) {
        switch (c) {
            case '"' -> line.append("&quot;");
            case '&' -> line.append("&amp;");
            case '<' -> line.append("&lt;");
            case '>' -> line.append("&gt;");
            case '\'' -> line.append("&#39;");
            default -> {
                if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                    line.append("&#").append((int) c).append(';');
                } else {
                    line.append(c);
                }
            }
        }
    }
}
