package dev.trestle.blob;

import dev.trestle.blob.BlobService.Opened;
import dev.trestle.blob.BlobService.Range;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Finds blobs and opens their contents, for readers and for copies. */
final class BlobOpener {
    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final BlobContents contents;

    BlobOpener(BlobVersions versions, BlobRowStore rows, BlobContents contents) {
        this.versions = versions;
        this.rows = rows;
        this.contents = contents;
    }

    /** Implements {@link BlobService#find}. */
    CompletionStage<Blob> find(BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        return versions.inContainer(address, container -> find(container, address, snapshot, guard));
    }

    private CompletionStage<Blob> find(
            long container, BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        return rows.read(container, address.name().value(), snapshot).thenApply(found -> {
            Blob blob = found.orElseThrow(guard::absentForReader).blob();
            guard.checkRead(blob, versions.now());
            return blob;
        });
    }

    /** Implements {@link BlobService#open}. */
    CompletionStage<Opened> open(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, Function<Blob, Range> range) {
        return versions.inContainer(
                address,
                container -> versions.retryIfReplaced(() -> find(container, address, snapshot, guard)
                        .thenCompose(blob -> {
                            blob.tier().requireOnline(versions.now());
                            Range wanted = range.apply(blob);
                            return contents.open(container, blob, wanted.from(), wanted.length())
                                    .thenCompose(reader -> requireReferenced(container, blob, reader))
                                    .thenApply(reader -> new Opened(blob, wanted, reader));
                        })));
    }

    /**
     * Checks that the blob still refers to the content that the reader has pinned. Otherwise the last parts of a
     * content of many parts may have been reclaimed before the pin.
     */
    private CompletionStage<BlobReader> requireReferenced(long container, Blob blob, BlobReader reader) {
        if (blob.content().parts() <= 1) {
            return CompletableFuture.completedFuture(reader);
        }
        return rows.read(container, blob.name(), blob.snapshot())
                .thenApply(found -> {
                    String manifest = blob.content().manifest();
                    if (found.isEmpty()
                            || !found.get().blob().content().manifest().equals(manifest)) {
                        throw new ContentGoneException();
                    }
                    return reader;
                })
                .whenComplete((same, failure) -> {
                    if (failure != null) {
                        reader.close();
                    }
                });
    }
}
