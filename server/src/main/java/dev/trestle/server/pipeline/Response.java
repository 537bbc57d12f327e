package dev.trestle.server.pipeline;

import dev.trestle.server.codec.ByteSink;
import dev.trestle.server.codec.WireBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A response before it is written to the socket. Mutable until then, owned by the request it is for. Its body lies in memory,
 * or comes from elsewhere while it is sent.
 */
public final class Response {
    /** The value of the header Server. */
    public static final String SERVER = "Trestle";

    private static final Map.Entry<String, String> NO_CACHE = Map.entry("Cache-Control", "no-cache");
    private static final Map.Entry<String, String> NO_SNIFF = Map.entry("X-Content-Type-Options", "nosniff");
    private static final int REASON_LENGTH_MAX = 256;

    private final int status;
    private final List<Map.Entry<String, String>> headers = new ArrayList<>(8);
    private final BufferedBody buffered = new BufferedBody();
    private long headLength;
    private @Nullable ResponseBody stream;
    private boolean fromFrontDoor;
    private @Nullable String reason;

    public Response(int status) {
        this.status = status;
    }

    /** A success of the OData operations, which all have the same two headers. */
    public static Response odata(int status) {
        Response response = new Response(status);
        response.headers.add(NO_CACHE);
        response.headers.add(NO_SNIFF);
        return response;
    }

    /**
     * Adds a header.
     *
     * @throws IllegalArgumentException when the value has a character that would end its line
     */
    public Response header(String name, String value) {
        if (!fitsLine(value)) {
            throw new IllegalArgumentException("the header " + name + " cannot have this value");
        }
        headers.add(Map.entry(name, value));
        return this;
    }

    private static boolean fitsLine(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                return false;
            }
        }
        return true;
    }

    public Response body(String contentType, byte[] bytes) {
        return body(contentType, Unpooled.wrappedBuffer(bytes));
    }

    /** Adds the body in a buffer that is not written to any more. */
    public Response body(String contentType, WireBuffer buffer) {
        return body(contentType, Unpooled.wrappedBuffer(buffer.data()).writerIndex(buffer.length()));
    }

    /** Adds a body whose content type is among the other headers, if it has one. */
    public Response bytes(byte[] bytes) {
        buffered.add(Unpooled.wrappedBuffer(bytes));
        return this;
    }

    private Response body(String contentType, ByteBuf bytes) {
        buffered.add(bytes);
        return header("Content-Type", contentType);
    }

    /** Adds the body that the writer writes piece by piece. */
    public Response body(String contentType, Consumer<ByteSink> writer) {
        writer.accept(buffered::addCopy);
        return header("Content-Type", contentType);
    }

    /**
     * Sets a body that is fetched while it is sent, instead of one in memory. It is closed in any case, also when it is not
     * sent because the request was HEAD.
     */
    public Response stream(ResponseBody body) {
        stream = body;
        return this;
    }

    /** Sets the length that a response to HEAD tells of the body it does not have. */
    public Response headLength(long length) {
        headLength = length;
        return this;
    }

    /** Sets the reason phrase to the first line of a message, as far as it can stand in a status line. */
    public Response reason(String message) {
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < Math.min(line.length(), REASON_LENGTH_MAX); i++) {
            char c = line.charAt(i);
            plain.append(c >= ' ' && c <= '~' ? c : '?');
        }
        reason = plain.toString();
        return this;
    }

    /** The reason phrase; empty for the standard one of the status. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Marks a refusal that the service sends before it knows what the request is for, with fewer headers. */
    public Response fromFrontDoor() {
        fromFrontDoor = true;
        return this;
    }

    boolean isFromFrontDoor() {
        return fromFrontDoor;
    }

    public int status() {
        return status;
    }

    public List<Map.Entry<String, String>> headers() {
        return headers;
    }

    /** The body in memory; empty when there is none, or it comes from elsewhere. */
    public BufferedBody buffered() {
        return buffered;
    }

    /** The body that comes from elsewhere. */
    public Optional<ResponseBody> stream() {
        return Optional.ofNullable(stream);
    }

    /** The body, wherever it is. */
    public ResponseBody body() {
        return stream == null ? buffered : stream;
    }

    /** The value of Content-Length. */
    public long contentLength() {
        return stream != null ? stream.length() : buffered.length() > 0 ? buffered.length() : headLength;
    }

    /** Frees the body of a response that will not be sent. */
    public void discard() {
        body().close();
    }
}
