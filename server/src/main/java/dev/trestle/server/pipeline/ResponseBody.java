package dev.trestle.server.pipeline;

import io.netty.buffer.ByteBuf;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The body of a response, read in pieces as the client reads them. Used once. */
public interface ResponseBody {
    /** The total length. */
    long length();

    /**
     * Returns the next piece, which is not empty; the caller releases it. Called on an event loop, and only after
     * the previous stage has completed, which it may do on any thread. If it fails, the response is aborted.
     *
     * @param bytesMax the maximum length of the piece
     */
    CompletionStage<ByteBuf> next(int bytesMax);

    /** Returns the file range with the body, if there is one, so that the kernel can send it. */
    default Optional<FileRange> file() {
        return Optional.empty();
    }

    /**
     * Frees the resources. Called once, when no piece will be requested and neither a piece nor the file is in
     * use.
     */
    void close();

    /** A range of a file that stays open until the body is closed. */
    record FileRange(FileChannel channel, long position) {}
}
