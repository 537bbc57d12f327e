package dev.trestle.server.http;

import dev.trestle.server.protocol.WireBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An answer before it is written to the socket. Mutable until then, owned by the request it answers; one that is not
 * written must be {@link #release}d, for its body may lie in pooled memory.
 */
final class Response {

    private final int status;
    private final List<Map.Entry<String, String>> headers = new ArrayList<>(8);
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
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
        return body(contentType, Unpooled.wrappedBuffer(bytes));
    }

    /** The body as it stands in a buffer that is not written to any more. */
    Response body(String contentType, WireBuffer buffer) {
        return body(contentType, Unpooled.wrappedBuffer(buffer.data(), 0, buffer.length()));
    }

    Response body(String contentType, ByteBuf bytes) {
        body = bytes;
        bodyLength = bytes.readableBytes();
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

    /** The body, to be released once it is written. */
    ByteBuf body() {
        return body;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** Gives the body's memory back. */
    void release() {
        body.release();
    }
}
