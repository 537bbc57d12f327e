package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The body of an answer, fetched piece by piece while its client takes it. Used by one answer, once. */
interface OutgoingBody {
    /** How long a piece should be, except the last. */
    int PIECE_BYTES = 256 * 1024;

    /** The length of all pieces together. */
    long length();

    /**
     * The next piece, which is the caller's to release; not empty. Called on an event loop, and again only when the stage
     * before has completed, on any thread. When it fails the answer is broken off.
     */
    CompletionStage<ByteBuf> next();

    /** Where the body lies in a file as it is, so that it need not pass through memory on every connection. */
    default Optional<FileRange> file() {
        return Optional.empty();
    }

    /** Called once, when nothing more will be asked for and neither a piece nor the file is in use any more. */
    void close();

    /** A part of a file, which stays open until the body is closed. */
    record FileRange(FileChannel channel, long position) {}
}
