package dev.trestle.blob;

import dev.trestle.catalogue.EngineTrouble;
import dev.trestle.engine.ContentStore;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** Bytes on their way in, too many to be held in memory. Either finished or abandoned, by whoever began it. */
public final class Upload {
    private final Digests digests = new Digests();
    private final String name;
    private final ContentStore.Sink sink;
    private final byte[] owner;

    Upload(ContentStore store, long container, String blob, String name) {
        this.name = name;
        // The checksums are the store's threads' work: nothing else in a request costs as much.
        this.sink = store.create(container, name, digests::update);
        this.owner = BlobRows.owner(container, blob);
    }

    /** Adds bytes, which have to stay as they are until the stage completes, and the next call has to wait for it. */
    public CompletionStage<Void> write(ByteBuffer bytes) {
        return EngineTrouble.answered(sink.write(bytes));
    }

    /** Ends the upload; what it brought is durable, and gone unless some blob comes to hold it. */
    public CompletionStage<Staged> finish() {
        return EngineTrouble.answered(sink.seal(owner).thenApply(ended -> digests.staged(new Part.Stored(name))));
    }

    public void abandon() {
        sink.abandon();
    }
}
