package dev.trestle.blob;

import dev.trestle.catalogue.EngineErrors;
import dev.trestle.engine.ContentStore;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** An upload of bytes to the content store. The caller must finish or abandon it. Not thread-safe. */
public final class Upload {
    /** The number of bytes between two checks of the free disk space. */
    private static final long UNCHECKED_BYTES_MAX = 4L << 20;

    private final Digests digests = new Digests();
    private final ContentStore store;
    private final ContentStore.Sink sink;
    private final StagedContent.Content content;
    private long unchecked;

    Upload(ContentStore store, long container, String blob, String name) {
        this.store = store;
        // The store's threads compute the checksums, which cost more than the rest of a request.
        this.sink = store.create(container, name, digests::update);
        this.content = new StagedContent.Content(container, name, BlobRowCodec.owner(container, blob));
    }

    /** Writes bytes. The buffer must not change, and no other call may be made, until the stage completes. */
    public CompletionStage<Void> write(ByteBuffer bytes) {
        unchecked += bytes.remaining();
        if (unchecked <= UNCHECKED_BYTES_MAX) {
            return EngineErrors.translateFailures(sink.write(bytes));
        }
        unchecked = 0;
        return EngineErrors.translateFailures(
                store.requireRoom(bytes.remaining()).thenCompose(room -> sink.write(bytes)));
    }

    /** Ends the upload and makes its content durable. The content is deleted unless a blob refers to it later. */
    public CompletionStage<StagedContent> finish() {
        return EngineErrors.translateFailures(sink.seal(content.owner())
                .thenApply(ended -> digests.staged(new Part.Stored(content.name()), Optional.of(content))));
    }

    public void abandon() {
        sink.abandon();
    }
}
