package dev.trestle.server.http;

import dev.trestle.server.protocol.EntityWriter;
import dev.trestle.server.protocol.WireBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer before it is written to the socket. Mutable until then, owned by the request it answers. A large body lies in
 * pieces, as it was written; one that is larger than memory comes from elsewhere while it is sent.
 */
final class Response {
    private static final Map.Entry<String, String> NO_CACHE = Map.entry("Cache-Control", "no-cache");
    private static final Map.Entry<String, String> NO_SNIFF = Map.entry("X-Content-Type-Options", "nosniff");
    private static final int REASON_LENGTH_MAX = 256;

    private final int status;
    private final List<Map.Entry<String, String>> headers = new ArrayList<>(8);
    private final List<ByteBuf> pieces = new ArrayList<>(1);

    /** The memory of those pieces that lie outside the heap. */
    private final List<ByteBuffer> outsideHeap = new ArrayList<>(0);

    private int bodyLength;
    private long headLength;
    private @Nullable OutgoingBody stream;
    private boolean fromFrontDoor;
    private @Nullable String reason;

    Response(int status) {
        this.status = status;
    }

    /** A success of the OData operations, which all carry the same two headers. */
    static Response odata(int status) {
        Response response = new Response(status);
        response.headers.add(NO_CACHE);
        response.headers.add(NO_SNIFF);
        return response;
    }

    /** @throws IllegalArgumentException when the value has a character that would end its line */
    Response header(String name, String value) {
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

    Response body(String contentType, byte[] bytes) {
        return body(contentType, Unpooled.wrappedBuffer(bytes));
    }

    /** The body as it stands in a buffer that is not written to any more. */
    Response body(String contentType, WireBuffer buffer) {
        return body(contentType, Unpooled.wrappedBuffer(buffer.data()).writerIndex(buffer.length()));
    }

    /** The body alone, whose type is told elsewhere if it is. */
    Response bytes(byte[] bytes) {
        add(Unpooled.wrappedBuffer(bytes));
        return this;
    }

    private Response body(String contentType, ByteBuf bytes) {
        add(bytes);
        return header("Content-Type", contentType);
    }

    /** The body as somebody writes it, piece by piece. */
    Response body(String contentType, Consumer<EntityWriter.Sink> writer) {
        writer.accept((bytes, length) -> add(copy(bytes, length)));
        return header("Content-Type", contentType);
    }

    /** A piece of its own: what it was written into is used again, while the processor has it at hand. */
    private ByteBuf copy(byte[] bytes, int length) {
        boolean small = pieces.isEmpty() && length <= Answer.SMALL_BYTES;
        Optional<ByteBuffer> outside = small ? Optional.empty() : PieceMemory.holding(bytes, length);
        outside.ifPresent(outsideHeap::add);
        return outside.map(Unpooled::wrappedBuffer)
                .orElseGet(() -> Unpooled.wrappedBuffer(Arrays.copyOf(bytes, length)));
    }

    /** Gives up the memory of the body, all of which was sent or none will be. */
    void giveUpBody() {
        pieces.clear();
        outsideHeap.forEach(PieceMemory::giveBack);
        outsideHeap.clear();
    }

    /**
     * A body that is fetched while it is sent, instead of one in memory. It is closed in any case, also when it is not
     * sent because the request was HEAD.
     */
    Response stream(OutgoingBody body) {
        stream = body;
        return this;
    }

    /** How long the body would be that an answer to HEAD does not have. */
    Response headLength(long length) {
        headLength = length;
        return this;
    }

    /** Sets the reason phrase to the first line of a message, as far as it can stand in a status line. */
    Response reason(String message) {
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
    Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    private void add(ByteBuf piece) {
        pieces.add(piece);
        bodyLength += piece.readableBytes();
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

    /** The body; empty when there is none. */
    ByteBuf body() {
        return pieces.size() == 1 ? pieces.get(0) : Unpooled.wrappedBuffer(pieces.toArray(ByteBuf[]::new));
    }

    /** The length of what is in memory. */
    int bodyLength() {
        return bodyLength;
    }

    Optional<OutgoingBody> stream() {
        return Optional.ofNullable(stream);
    }

    /** What the head says of the length. */
    long contentLength() {
        return stream != null ? stream.length() : bodyLength > 0 ? bodyLength : headLength;
    }

    /** This answer will not be given. */
    void discard() {
        giveUpBody();
        if (stream != null) {
            stream.close();
        }
    }

    /** What the body takes of memory: all of a piece, also where it does not fill it. */
    int heldBytes() {
        return pieces.stream()
                .mapToInt(piece -> piece.hasArray() ? piece.array().length : PieceMemory.PIECE_BYTES)
                .sum();
    }
}
