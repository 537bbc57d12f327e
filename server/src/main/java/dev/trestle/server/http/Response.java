package dev.trestle.server.http;

import dev.trestle.server.protocol.WireBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An answer before it is written to the socket. Mutable until then, owned by the request it answers. */
final class Response {
    private static final byte[] NO_BODY = new byte[0];

    private final int status;
    private final List<Map.Entry<String, String>> headers = new ArrayList<>(8);
    private byte[] body = NO_BODY;
    private int bodyLength;
    private boolean fromFrontDoor;

    Response(int status) {
        this.status = status;
    }

    /** A success of the OData operations, which all carry the same two headers. */
    static Response odata(int status) {
        return new Response(status).header("Cache-Control", "no-cache").header("X-Content-Type-Options", "nosniff");
    }

    Response header(String name, String value) {
        headers.add(Map.entry(name, value));
        return this;
    }

    Response body(String contentType, byte[] bytes) {
        this.body = bytes;
        this.bodyLength = bytes.length;
        return header("Content-Type", contentType);
    }

    /** The body as it stands in a buffer that is not written to any more. */
    Response body(String contentType, WireBuffer buffer) {
        this.body = buffer.data();
        this.bodyLength = buffer.length();
        return header("Content-Type", contentType);
    }

    /** Marks an answer given before the request was let in, which says less about itself. */
    Response fromFrontDoor() {
        fromFrontDoor = true;
        return this;
    }

    boolean isFromFrontDoor() {
        return fromFrontDoor;
    }

    int status() {
        return status;
    }

    List<Map.Entry<String, String>> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    int bodyLength() {
        return bodyLength;
    }
}
