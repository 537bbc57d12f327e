package dev.trestle.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A request to be sent byte by byte. Immutable. */
record RawRequest(String method, String target, List<Map.Entry<String, String>> headers, byte[] body) {
    static final String SHARED_KEY = "{{SharedKey}}";
    static final String SHARED_KEY_LITE = "{{SharedKeyLite}}";

    /** For queues and blobs, whose signatures cover more of a request than those of tables. */
    static final String QUEUE_KEY = "{{QueueKey}}";

    static final String QUEUE_KEY_LITE = "{{QueueKeyLite}}";
    static final String QUEUE_VERSION = "2021-12-02";
    static final String BLOB_VERSION = "2026-06-06";

    /** Signs for the following path instead of the path of the request. */
    private static final String SHARED_KEY_LITE_OF = "{{SharedKeyLite of ";

    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    /**
     * Returns a request signed for the development account, with the usual headers; the path starts after the
     * account.
     */
    static RawRequest of(String method, String path) {
        return new RawRequest(method, "/" + TrestleProcess.ACCOUNT + path, List.of(), new byte[0])
                .with("Host", "127.0.0.1")
                .with("x-ms-date", httpDate())
                .with("x-ms-version", "2019-02-02")
                .with("Accept", "application/json;odata=minimalmetadata")
                .with("Authorization", SHARED_KEY_LITE);
    }

    /** Like {@link #of}, for the Queue service. */
    static RawRequest ofQueue(String method, String path) {
        return new RawRequest(method, "/" + TrestleProcess.ACCOUNT + path, List.of(), new byte[0])
                .with("Host", "127.0.0.1")
                .with("x-ms-date", httpDate())
                .with("x-ms-version", QUEUE_VERSION)
                .with("Authorization", QUEUE_KEY);
    }

    /** Like {@link #of}, for the Blob service, in the version of current SDKs. */
    static RawRequest ofBlob(String method, String path) {
        return ofQueue(method, path).with("x-ms-version", BLOB_VERSION);
    }

    /** Returns a Put Blob request with this content. */
    static RawRequest putBlob(String path, byte[] content) {
        return ofBlob("PUT", path).with("x-ms-blob-type", "BlockBlob").body(content);
    }

    static String httpDate() {
        return HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
    }

    /** Returns the request with this header, which replaces any of the same name. */
    RawRequest with(String name, String value) {
        List<Map.Entry<String, String>> changed = new ArrayList<>(without(name).headers);
        changed.add(Map.entry(name, value));
        return new RawRequest(method, target, List.copyOf(changed), body);
    }

    RawRequest without(String name) {
        return new RawRequest(
                method,
                target,
                headers.stream()
                        .filter(header -> !header.getKey().equalsIgnoreCase(name))
                        .toList(),
                body);
    }

    RawRequest json(String text) {
        return with("Content-Type", "application/json").body(text.getBytes(StandardCharsets.UTF_8));
    }

    RawRequest xml(String text) {
        return with("Content-Type", "application/xml").body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the request with this body and its length. */
    RawRequest body(byte[] bytes) {
        RawRequest sized = with("Content-Length", Integer.toString(bytes.length));
        return new RawRequest(method, target, sized.headers, bytes.clone());
    }

    byte[] bytes() {
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        headers.forEach(header -> head.append(header.getKey())
                .append(": ")
                .append(signed(header.getValue()))
                .append("\r\n"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    private String signed(String value) {
        if (value.startsWith(SHARED_KEY_LITE_OF)) {
            String other = value.substring(SHARED_KEY_LITE_OF.length(), value.length() - "}}".length());
            return Signature.sharedKeyLite(new RawRequest(method, other, headers, body));
        }
        return switch (value) {
            case SHARED_KEY -> Signature.sharedKey(this);
            case SHARED_KEY_LITE -> Signature.sharedKeyLite(this);
            case QUEUE_KEY -> Signature.queueKey(this);
            case QUEUE_KEY_LITE -> Signature.queueKeyLite(this);
            default -> value;
        };
    }

    Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
