package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.model.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Starts uploads to the content store, and deletes the contents of refused ones. */
final class Uploads {
    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final ContentStore store;
    private final BlobContents contents;
    private final UnreferencedContents unreferenced;

    Uploads(
            BlobVersions versions,
            BlobRowStore rows,
            ContentStore store,
            BlobContents contents,
            UnreferencedContents unreferenced) {
        this.versions = versions;
        this.rows = rows;
        this.store = store;
        this.contents = contents;
        this.unreferenced = unreferenced;
    }

    /** Implements {@link BlobService#upload(BlobAddress, long)}. */
    CompletionStage<Upload> start(BlobAddress address, long bytes) {
        return versions.inContainer(
                address,
                container -> rows.requireWritable(container)
                        .thenCompose(writable -> unreferenced.settle())
                        .thenCompose(settled -> store.requireRoom(bytes))
                        .thenApply(room ->
                                contents.upload(container, address.name().value())));
    }

    /** Implements {@link BlobService#checked}. */
    CompletionStage<StagedContent> checked(StagedContent staged, Consumer<StagedContent> check) {
        try {
            check.accept(staged);
            return CompletableFuture.completedFuture(staged);
        } catch (StorageException e) {
            staged.content().ifPresent(unreferenced::delete);
            return CompletableFuture.failedFuture(e);
        }
    }
}
