package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Copies the contents of blobs to another store under the same names. The caller copies the rows that refer to
 * them afterwards. Blobs of both stores must not change during the copy. An interrupted copy is started again.
 * Blocks the calling thread.
 */
public final class ContentCopy {
    private static final int PIECE_BYTES = 256 * 1024;

    private final ContentStore from;
    private final Supplier<ContentStore> to;
    private final IntConsumer progress;
    private long contents;

    /**
     * Creates a copy.
     *
     * @param from a store whose contents are files
     * @param to called only if there is something to copy
     * @param progress receives the size of each copied piece
     */
    public ContentCopy(ContentStore from, Supplier<ContentStore> to, IntConsumer progress) {
        this.from = from;
        this.to = to;
        this.progress = progress;
    }

    /**
     * Copies the contents of a collection; none if it is not a container.
     *
     * @throws EngineException as the stores do
     */
    public void copy(long collection) {
        await(from.names(collection, name -> copy(collection, name)));
    }

    private void copy(long collection, String name) {
        ContentStore target = to.get();
        // An interrupted copy may have left an incomplete one.
        await(target.delete(collection, name));
        try (ContentStore.Source source = await(from.open(collection, name))) {
            ContentStore.Sink sink = target.create(collection, name, piece -> {});
            copy(source.file().orElseThrow(), sink);
            // No blob has an empty name, so a content that an interrupted copy did not keep has no owner.
            await(sink.seal(BlobRowCodec.owner(collection, "")));
            await(target.keep(collection, name));
        } catch (IOException e) {
            throw new EngineException(EngineException.Kind.UNAVAILABLE, "A content cannot be read: " + e, e);
        }
        contents++;
    }

    private void copy(FileChannel file, ContentStore.Sink sink) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (long position = 0; file.read(piece, position) >= 0; piece.clear()) {
            piece.flip();
            int length = piece.remaining();
            position += length;
            await(sink.write(piece));
            progress.accept(length);
        }
    }

    /** Returns the number of copied contents. */
    public long contents() {
        return contents;
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (StageFailures.cause(e) instanceof EngineException known) {
                throw known;
            }
            throw e;
        }
    }
}
