package dev.trestle.blob;

import dev.trestle.catalogue.EngineErrors;
import dev.trestle.engine.ContentStore;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Bytes on their way in, too many to be held in memory. Either finished or abandoned, by whoever began it. */
public final class Upload {
    /** After so many bytes it is checked again whether the disk has room for more. */
    private static final long UNCHECKED_BYTES_MAX = 4L << 20;

    private final Digests digests = new Digests();
    private final ContentStore store;
    private final ContentStore.Sink sink;
    private final StagedContent.Content content;
    private long unchecked;

    Upload(ContentStore store, long container, String blob, String name) {
        this.store = store;
        // The checksums are the store's threads' work: nothing else in a request costs as much.
        this.sink = store.create(container, name, digests::update);
        this.content = new StagedContent.Content(container, name, BlobRowCodec.owner(container, blob));
    }

    /** Adds bytes, which have to stay as they are until the stage completes, and the next call has to wait for it. */
    public CompletionStage<Void> write(ByteBuffer bytes) {
        unchecked += bytes.remaining();
        if (unchecked <= UNCHECKED_BYTES_MAX) {
            return EngineErrors.translateFailures(sink.write(bytes));
        }
        unchecked = 0;
        return EngineErrors.translateFailures(
                store.requireRoom(bytes.remaining()).thenCompose(room -> sink.write(bytes)));
    }

    /** Ends the upload; what it brought is durable, and gone unless some blob comes to hold it. */
    public CompletionStage<StagedContent> finish() {
        return EngineErrors.translateFailures(sink.seal(content.owner())
                .thenApply(ended -> digests.staged(new Part.Stored(content.name()), Optional.of(content))));
    }

    public void abandon() {
        sink.abandon();
    }
}
