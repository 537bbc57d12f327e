package dev.trestle.server.pipeline;

import io.netty.buffer.ByteBuf;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The body of a response, taken in pieces as its client reads them. Used by one response, once. */
public interface ResponseBody {
    /** The length of all pieces together. */
    long length();

    /**
     * Returns the next piece, which is the caller's to release; not empty. Called on an event loop, and again only when the
     * stage before has completed, on any thread. When it fails the response is broken off.
     *
     * @param bytesMax the longest piece that is wanted
     */
    CompletionStage<ByteBuf> next(int bytesMax);

    /** Where the body lies in a file as it is, so that the kernel can send it. */
    default Optional<FileRange> file() {
        return Optional.empty();
    }

    /** Called once, when no more will be asked for and neither a piece nor the file is in use. */
    void close();

    /** A part of a file, which stays open until the body is closed. */
    record FileRange(FileChannel channel, long position) {}
}
