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
 * Copies the contents of blobs to another store, under the same names, for whoever copies the rows that refer to them:
 * first the contents, then the rows. Nobody may change blobs of either store meanwhile. A copy that was broken off is
 * begun again. It waits for each step, so it is for a thread that may.
 */
public final class ContentCopy {
    private static final int PIECE_BYTES = 256 * 1024;

    private final ContentStore from;
    private final Supplier<ContentStore> to;
    private final IntConsumer progress;
    private long contents;

    /**
     * @param from a store whose contents are files
     * @param to asked when there is something to copy
     * @param progress told how many bytes each piece has that was copied
     */
    public ContentCopy(ContentStore from, Supplier<ContentStore> to, IntConsumer progress) {
        this.from = from;
        this.to = to;
        this.progress = progress;
    }

    /**
     * Copies what a collection has, which is nothing where it is no container.
     *
     * @throws EngineException as the stores do
     */
    public void copy(long collection) {
        await(from.names(collection, name -> copy(collection, name)));
    }

    private void copy(long collection, String name) {
        ContentStore target = to.get();
        // One that an earlier copy brought may be incomplete.
        await(target.delete(collection, name));
        try (ContentStore.Source source = await(from.open(collection, name))) {
            ContentStore.Sink sink = target.create(collection, name, piece -> {});
            copy(source.file().orElseThrow(), sink);
            // No blob has this name: what is not kept, because the copy was broken off here, is nobody's.
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

    /** How many contents were copied. */
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
