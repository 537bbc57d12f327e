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
 * Reads a multipart batch as clients really write it: line ends of either kind, empty lines where none belong, headers in
 * any case and order. Works on the received array; bodies are slices of it. The parts of a batch mostly begin alike, so
 * lines that are, byte for byte, those of the part before are not read again.
 *
 * <p>Both closing boundaries are required, each after the last part, and nothing but empty lines between them. They are
 * the only sign that a body is complete: without them a truncated body would apply a part of its change set.
 */
public final class BatchReader {
    private static final int BOUNDARY_UNITS_MAX = 200;
    private static final int HEADERS_MAX = 64;

    /** A batch: one change set, or a single request outside of one. */
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

    /** A request with the headers of the MIME part around it; their names are in lower case. */
    public record Enclosed(Map<String, String> mimeHeaders, Part request) {}

    /** How a request begins; parts that begin with the same bytes share it. */
    public record RequestLine(String method, String target) {}

    /** Something read from a stretch of the body. */
    private record Known<T>(T value, int start, int end) {}

    private final byte[] data;
    private final int end;
    private int at;
    private Known<Map<String, String>> lastHeaders = new Known<>(Map.of(), 0, 0);
    private Known<Map<String, String>> lastPartHeaders = lastHeaders;
    private Known<RequestLine> lastLine = new Known<>(new RequestLine("", ""), 0, 0);

    /** Whether the boundary that {@link #skipToBoundary} last moved past was a closing one. */
    private boolean closed;

    private BatchReader(byte[] data, int offset, int length) {
        this.data = data;
        this.at = offset;
        this.end = offset + length;
    }

    /** Reads a body of the given content type. */
    public static Batch read(String contentType, byte[] data, int offset, int length) {
        return new BatchReader(data, offset, length).batch(boundary(contentType));
    }

    /**
     * Reads a body whose parts all are requests, and which ends with its closing boundary.
     *
     * @param partsMax how many are read; one more is read if it is there, and then no others
     */
    public static List<Enclosed> readRequests(String boundary, byte[] data, int offset, int length, int partsMax) {
        byte[] mark = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        return new BatchReader(data, offset, length).requests(mark, partsMax);
    }

    private List<Enclosed> requests(byte[] mark, int partsMax) {
        List<Enclosed> requests = new ArrayList<>();
        while (skipToBoundary(mark)) {
            if (closed || requests.size() > partsMax) {
                return requests;
            }
            lastPartHeaders = headers(lastPartHeaders);
            requests.add(new Enclosed(lastPartHeaders.value(), part(mark)));
        }
        throw malformed();
    }

    /** What a line that is a boundary of this multipart content begins with. */
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

    private Batch batch(byte[] mark) {
        if (!skipToBoundary(mark)) {
            throw malformed();
        }
        Map<String, String> headers = headers(lastPartHeaders).value();
        String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        boolean changeSet = type.startsWith("multipart/mixed");
        byte[] partMark = changeSet ? boundary(headers.getOrDefault("content-type", "")) : mark;
        List<Part> parts = changeSet ? changeSet(partMark) : List.of(part(mark));
        requireEnd(mark, partMark);
        return new Batch(changeSet, parts);
    }

    /** The service takes one change set or one query, so what follows is the closing boundary, and no part after it. */
    private void requireEnd(byte[] mark, byte[] partMark) {
        skipEmptyLines();
        int lineEnd = lineEnd(at);
        if (!isBoundary(at, lineEnd, mark) || !hasDashes(at + mark.length, lineEnd)) {
            throw malformed();
        }
        int after = Math.min(end, lineEnd + 1);
        at = after;
        boolean more = skipToBoundary(mark);
        at = after;
        if (more || skipToBoundary(partMark)) {
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

    private List<Part> changeSet(byte[] mark) {
        List<Part> parts = new ArrayList<>();
        while (true) {
            if (!skipToBoundary(mark)) {
                throw malformed();
            }
            if (closed) {
                break;
            }
            lastPartHeaders = headers(lastPartHeaders);
            Part part = part(mark);
            // One part more than allowed is enough to see that there are too many.
            if (parts.size() <= Limits.TRANSACTION_OPERATIONS_MAX) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            throw malformed();
        }
        return parts;
    }

    /** Moves past the next line that is the boundary; false at the end of the body. */
    private boolean skipToBoundary(byte[] mark) {
        while (at < end) {
            int start = at;
            int lineEnd = lineEnd(at);
            at = Math.min(end, lineEnd + 1);
            if (isBoundary(start, lineEnd, mark)) {
                closed = hasDashes(start + mark.length, lineEnd);
                return true;
            }
        }
        return false;
    }

    /** Whether a line is exactly this boundary, not a longer one that begins alike. */
    private boolean isBoundary(int start, int lineEnd, byte[] mark) {
        if (lineEnd - start < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if (data[start + i] != mark[i]) {
                return false;
            }
        }
        int rest = start + mark.length;
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
        // A byte for a character, as request lines come from the socket; whoever decodes an address sees the bytes.
        return new String(data, start, stop - start, StandardCharsets.ISO_8859_1);
    }

    /** Whether the bytes here are those that were read before; if so, moves past them. */
    private boolean again(Known<?> known) {
        int length = known.end - known.start;
        if (length == 0 || length > end - at) {
            return false;
        }
        boolean same = Arrays.equals(data, known.start, known.end, data, at, at + length);
        at += same ? length : 0;
        return same;
    }

    private Known<Map<String, String>> headers(Known<Map<String, String>> last) {
        if (again(last)) {
            return last;
        }
        int start = at;
        Map<String, String> headers = new HashMap<>();
        while (at < end) {
            int before = at;
            String line = line();
            if (line.isEmpty()) {
                return new Known<>(headers, start, at);
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                if (line.startsWith("--")) {
                    at = before; // A part without the empty line that should end its headers.
                    return new Known<>(headers, at, at);
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
        return new Known<>(headers, at, at);
    }

    private Part part(byte[] mark) {
        lastLine = requestLine();
        lastHeaders = headers(lastHeaders);
        int bodyStart = at;
        int bodyEnd = bodyEnd(mark);
        return new Part(lastLine.value(), lastHeaders.value(), bodyStart, bodyEnd - bodyStart);
    }

    private Known<RequestLine> requestLine() {
        if (again(lastLine)) {
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
        return new Known<>(new RequestLine(text.substring(0, methodEnd), target), start, at);
    }

    /** Finds where the body ends, which is before the next boundary, and moves there. */
    private int bodyEnd(byte[] mark) {
        while (at < end) {
            int lineEnd = lineEnd(at);
            if (isBoundary(at, lineEnd, mark)) {
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
