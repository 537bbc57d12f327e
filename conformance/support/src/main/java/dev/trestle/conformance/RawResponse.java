package dev.trestle.conformance;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A response as it was read from the socket. */
record RawResponse(String statusLine, List<Map.Entry<String, String>> headers, String body) {
    /**
     * Reads one response.
     *
     * @throws EOFException when the server closes before it is whole
     */
    static RawResponse read(InputStream in, boolean toHead) throws IOException {
        String statusLine = line(in);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.add(Map.entry(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        RawResponse head = new RawResponse(statusLine, List.copyOf(headers), "");
        boolean bodiless = toHead || head.status() == 204 || head.status() == 304 || head.status() < 200;
        byte[] body = new byte[0];
        if (!bodiless) {
            body = head.header("Transfer-Encoding").isPresent()
                    ? chunks(in)
                    : exactly(
                            in,
                            head.header("Content-Length").map(Integer::parseInt).orElse(0));
        }
        return new RawResponse(statusLine, head.headers, new String(body, StandardCharsets.UTF_8));
    }

    int status() {
        return Integer.parseInt(statusLine.split(" ", 3)[1]);
    }

    Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns the whole response as one text. */
    String text() {
        StringBuilder text = new StringBuilder(statusLine).append('\n');
        headers.forEach(header -> text.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append('\n'));
        return text.append('\n').append(body).toString();
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(in), 16);
            body.writeBytes(exactly(in, size));
            line(in);
            if (size == 0) {
                return body.toByteArray();
            }
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("closed after " + bytes.length + " of " + length + " bytes of a body");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("closed within the line '" + line.toString(StandardCharsets.UTF_8) + "'");
            }
            line.write(c);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
