package dev.trestle.server.codec;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Parses multipart batches. Tolerates what clients really send: either kind of line end, stray empty lines,
 * headers in any case and order. Works on the received array; bodies are slices of it. Most parts of a batch begin
 * with the same bytes, so lines that equal those of the previous part are not parsed again.
 *
 * <p>Both closing boundaries are required, each after the last part, with only empty lines between them. They are
 * the only sign that a body is complete: without them, a truncated body would apply a part of its change set.
 */
public final class BatchReader {
    private static final int BOUNDARY_UNITS_MAX = 200;
    private static final int HEADERS_MAX = 64;

    /** One change set, or a single request outside of one. */
    public record Batch(boolean changeSet, List<Part> parts) {}

    /** A request within a batch; header names are in lower case. */
    public record Part(RequestLine line, Map<String, String> headers, int bodyOffset, int bodyLength) {
        public String method() {
            return line.method;
        }

        public String target() {
            return line.target;
        }

        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** A request with the headers of the MIME part around it; header names are in lower case. */
    public record MimePart(Map<String, String> mimeHeaders, Part request) {}

    /** The request line; parts that begin with the same bytes share it. */
    public record RequestLine(String method, String target) {}

    /** A parsed value and the range of the body it was parsed from. */
    private record Parsed<T>(T value, int start, int end) {}

    private final byte[] data;
    private final int end;
    private int at;
    private Parsed<Map<String, String>> lastHeaders = new Parsed<>(Map.of(), 0, 0);
    private Parsed<Map<String, String>> lastPartHeaders = lastHeaders;
    private Parsed<RequestLine> lastLine = new Parsed<>(new RequestLine("", ""), 0, 0);

    /** Whether the boundary that {@link #skipToBoundary} found last is a closing one. */
    private boolean closed;

    private BatchReader(byte[] data, int offset, int length) {
        this.data = data;
        this.at = offset;
        this.end = offset + length;
    }

    /** Parses a body of the given content type. */
    public static Batch read(String contentType, byte[] data, int offset, int length) {
        return new BatchReader(data, offset, length).batch(boundary(contentType));
    }

    /**
     * Parses a body that consists of requests only and ends with its closing boundary.
     *
     * @param partsMax the number of parts to parse; one more is parsed to show that there are more, and no others
     */
    public static List<MimePart> readRequests(String boundary, byte[] data, int offset, int length, int partsMax) {
        byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        return new BatchReader(data, offset, length).requests(delimiter, partsMax);
    }

    private List<MimePart> requests(byte[] delimiter, int partsMax) {
        List<MimePart> requests = new ArrayList<>();
        while (skipToBoundary(delimiter)) {
            if (closed || requests.size() > partsMax) {
                return requests;
            }
            lastPartHeaders = headers(lastPartHeaders);
            requests.add(new MimePart(lastPartHeaders.value(), part(delimiter)));
        }
        throw malformed();
    }

    /** Returns the delimiter, which is the boundary parameter of the content type after two dashes. */
    private static byte[] boundary(String contentType) {
        String type = contentType.strip();
        if (!type.toLowerCase(Locale.ROOT).startsWith("multipart/mixed")) {
            throw new StorageException(StorageError.MEDIA_TYPE_NOT_SUPPORTED);
        }
        for (String parameter : type.split(";", -1)) {
            String stripped = parameter.strip();
            if (stripped.toLowerCase(Locale.ROOT).startsWith("boundary=")) {
                String value = stripped.substring("boundary=".length()).strip();
                if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
                    value = value.substring(1, value.length() - 1);
                }
                if (!value.isEmpty() && value.length() <= BOUNDARY_UNITS_MAX) {
                    return ("--" + value).getBytes(StandardCharsets.UTF_8);
                }
            }
        }
        throw malformed();
    }

    private Batch batch(byte[] delimiter) {
        if (!skipToBoundary(delimiter)) {
            throw malformed();
        }
        Map<String, String> headers = headers(lastPartHeaders).value();
        String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        boolean changeSet = type.startsWith("multipart/mixed");
        byte[] partDelimiter = changeSet ? boundary(headers.getOrDefault("content-type", "")) : delimiter;
        List<Part> parts = changeSet ? changeSet(partDelimiter) : List.of(part(delimiter));
        requireEnd(delimiter, partDelimiter);
        return new Batch(changeSet, parts);
    }

    /** Requires the closing boundary and no further part: the service takes one change set or one query. */
    private void requireEnd(byte[] delimiter, byte[] partDelimiter) {
        skipEmptyLines();
        int lineEnd = lineEnd(at);
        if (!isBoundary(at, lineEnd, delimiter) || !hasDashes(at + delimiter.length, lineEnd)) {
            throw malformed();
        }
        int after = Math.min(end, lineEnd + 1);
        at = after;
        boolean more = skipToBoundary(delimiter);
        at = after;
        if (more || skipToBoundary(partDelimiter)) {
            throw malformed();
        }
    }

    private void skipEmptyLines() {
        for (int i = at; i < end && isBlank(data[i]); i++) {
            if (data[i] == '\n') {
                at = i + 1;
            }
        }
    }

    private static boolean isBlank(byte octet) {
        return octet == '\r' || octet == '\n' || octet == ' ' || octet == '\t';
    }

    private List<Part> changeSet(byte[] delimiter) {
        List<Part> parts = new ArrayList<>();
        while (true) {
            if (!skipToBoundary(delimiter)) {
                throw malformed();
            }
            if (closed) {
                break;
            }
            lastPartHeaders = headers(lastPartHeaders);
            Part part = part(delimiter);
            // One part more than allowed is enough to detect that there are too many.
            if (parts.size() <= Limits.TRANSACTION_OPERATIONS_MAX) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            throw malformed();
        }
        return parts;
    }

    /** Moves past the next line that is the delimiter; returns false at the end of the body. */
    private boolean skipToBoundary(byte[] delimiter) {
        while (at < end) {
            int start = at;
            int lineEnd = lineEnd(at);
            at = Math.min(end, lineEnd + 1);
            if (isBoundary(start, lineEnd, delimiter)) {
                closed = hasDashes(start + delimiter.length, lineEnd);
                return true;
            }
        }
        return false;
    }

    /** Whether a line is exactly this delimiter, not a longer one with the same prefix. */
    private boolean isBoundary(int start, int lineEnd, byte[] delimiter) {
        if (lineEnd - start < delimiter.length) {
            return false;
        }
        for (int i = 0; i < delimiter.length; i++) {
            if (data[start + i] != delimiter[i]) {
                return false;
            }
        }
        int rest = start + delimiter.length;
        for (int i = hasDashes(rest, lineEnd) ? rest + 2 : rest; i < lineEnd; i++) {
            if (!isBlank(data[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean hasDashes(int from, int lineEnd) {
        return from + 1 < lineEnd && data[from] == '-' && data[from + 1] == '-';
    }

    private int lineEnd(int from) {
        int p = from;
        while (p + Long.BYTES <= end && !SwarBytes.haveLineFeed(SwarBytes.at(data, p))) {
            p += Long.BYTES;
        }
        while (p < end && data[p] != '\n') {
            p++;
        }
        return p;
    }

    private String line() {
        int start = at;
        int stop = lineEnd(at);
        at = Math.min(end, stop + 1);
        if (stop > start && data[stop - 1] == '\r') {
            stop--;
        }
        // One character per byte, as in request lines from the socket; the parser of the address decodes the bytes.
        return new String(data, start, stop - start, StandardCharsets.ISO_8859_1);
    }

    /** Moves past the bytes at the current position if they equal those parsed before; returns whether they do. */
    private boolean skipIfEqual(Parsed<?> parsed) {
        int length = parsed.end - parsed.start;
        if (length == 0 || length > end - at) {
            return false;
        }
        boolean same = Arrays.equals(data, parsed.start, parsed.end, data, at, at + length);
        at += same ? length : 0;
        return same;
    }

    private Parsed<Map<String, String>> headers(Parsed<Map<String, String>> last) {
        if (skipIfEqual(last)) {
            return last;
        }
        int start = at;
        Map<String, String> headers = new HashMap<>();
        while (at < end) {
            int before = at;
            String line = line();
            if (line.isEmpty()) {
                return new Parsed<>(headers, start, at);
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                if (line.startsWith("--")) {
                    at = before; // The empty line that ends the headers is missing.
                    return new Parsed<>(headers, at, at);
                }
                throw malformed();
            }
            if (headers.size() >= HEADERS_MAX) {
                throw malformed();
            }
            headers.putIfAbsent(
                    line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Parsed<>(headers, at, at);
    }

    private Part part(byte[] delimiter) {
        lastLine = requestLine();
        lastHeaders = headers(lastHeaders);
        int bodyStart = at;
        int bodyEnd = bodyEnd(delimiter);
        return new Part(lastLine.value(), lastHeaders.value(), bodyStart, bodyEnd - bodyStart);
    }

    private Parsed<RequestLine> requestLine() {
        if (skipIfEqual(lastLine)) {
            return lastLine;
        }
        int start = at;
        String text = line();
        while (text.isBlank() && at < end) {
            text = line();
        }
        int methodEnd = text.indexOf(' ');
        int targetEnd = text.lastIndexOf(" HTTP/");
        if (methodEnd <= 0 || targetEnd <= methodEnd) {
            throw malformed();
        }
        String target = text.substring(methodEnd + 1, targetEnd).strip();
        return new Parsed<>(new RequestLine(text.substring(0, methodEnd), target), start, at);
    }

    /** Moves to the end of the body, which is before the next delimiter, and returns the position. */
    private int bodyEnd(byte[] delimiter) {
        while (at < end) {
            int lineEnd = lineEnd(at);
            if (isBoundary(at, lineEnd, delimiter)) {
                return at;
            }
            at = Math.min(end, lineEnd + 1);
        }
        return end;
    }

    private static StorageException malformed() {
        return new StorageException(StorageError.INVALID_INPUT);
    }
}
