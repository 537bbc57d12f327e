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
 * A response before it is written to the socket. Mutable until then, and owned by its request. Its body is in
 * memory or is streamed.
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
    private boolean refusedBeforeRouting;
    private @Nullable String reason;

    public Response(int status) {
        this.status = status;
    }

    /** Creates a successful OData response, with the two headers that all of them have. */
    public static Response odata(int status) {
        Response response = new Response(status);
        response.headers.add(NO_CACHE);
        response.headers.add(NO_SNIFF);
        return response;
    }

    /**
     * Adds a header.
     *
     * @throws IllegalArgumentException if the value contains a control character
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

    /** Adds the body in a buffer that must not change afterwards. */
    public Response body(String contentType, WireBuffer buffer) {
        return body(contentType, Unpooled.wrappedBuffer(buffer.data()).writerIndex(buffer.length()));
    }

    /** Adds a body; the content type, if any, is set as a header. */
    public Response bytes(byte[] bytes) {
        buffered.add(Unpooled.wrappedBuffer(bytes));
        return this;
    }

    private Response body(String contentType, ByteBuf bytes) {
        buffered.add(bytes);
        return header("Content-Type", contentType);
    }

    /** Adds the body that the writer produces in pieces. */
    public Response body(String contentType, Consumer<ByteSink> writer) {
        writer.accept(buffered::addCopy);
        return header("Content-Type", contentType);
    }

    /**
     * Sets a body that is read while it is sent. It is closed in any case, even if it is not sent because the
     * request is HEAD.
     */
    public Response stream(ResponseBody body) {
        stream = body;
        return this;
    }

    /** Sets the Content-Length of a response to HEAD. */
    public Response headLength(long length) {
        headLength = length;
        return this;
    }

    /** Sets the reason phrase to the first line of a message, truncated and restricted to ASCII. */
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

    /** Returns the reason phrase; empty for the standard one of the status. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Marks a refusal that the service sends before it routes the request, with fewer headers. */
    public Response refusedBeforeRouting() {
        refusedBeforeRouting = true;
        return this;
    }

    boolean isRefusedBeforeRouting() {
        return refusedBeforeRouting;
    }

    public int status() {
        return status;
    }

    public List<Map.Entry<String, String>> headers() {
        return headers;
    }

    /** The body in memory; empty if there is none or it is streamed. */
    public BufferedBody buffered() {
        return buffered;
    }

    /** The streamed body, if any. */
    public Optional<ResponseBody> stream() {
        return Optional.ofNullable(stream);
    }

    /** The body, in memory or streamed. */
    public ResponseBody body() {
        return stream == null ? buffered : stream;
    }

    /** Returns the value of Content-Length in a response to HEAD. */
    public long contentLength() {
        return stream != null ? stream.length() : buffered.length() > 0 ? buffered.length() : headLength;
    }

    /** Closes the body of a response that will not be sent. */
    public void discard() {
        body().close();
    }
}
