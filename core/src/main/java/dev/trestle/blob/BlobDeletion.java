package dev.trestle.blob;

import dev.trestle.blob.BlobService.Snapshots;
import dev.trestle.engine.Commit;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deletes blobs and snapshots, removes their tags from the index, and has their contents reclaimed. */
final class BlobDeletion {
    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final Reclaimer reclaimer;

    BlobDeletion(BlobVersions versions, BlobRowStore rows, Reclaimer reclaimer) {
        this.versions = versions;
        this.rows = rows;
        this.reclaimer = reclaimer;
    }

    /** Implements {@link BlobService#delete}. */
    CompletionStage<Void> delete(
            BlobAddress address, AccessConditions guard, TierConditions tierConditions, Snapshots snapshots) {
        String name = address.name().value();
        return versions.inContainer(
                address,
                container -> versions.retry()
                        .runUntilTrue(
                                "Deleting a blob",
                                () -> deleteOnce(container, name, guard, tierConditions, snapshots)));
    }

    /** Returns false if a version of the blob has changed since it was read. */
    private CompletionStage<Boolean> deleteOnce(
            long container, String name, AccessConditions guard, TierConditions tierConditions, Snapshots snapshots) {
        return rows.versions(container, name).thenCompose(found -> {
            Optional<Blob> base = found.stream()
                    .map(BlobRowStore.Version::blob)
                    .filter(blob -> blob.snapshot().isEmpty())
                    .findFirst();
            if (base.isEmpty()) {
                return deleteUncommitted(container, name, guard).thenApply(deleted -> true);
            }
            guard.checkWrite(base.get(), versions.now(), StorageError.CONDITION_NOT_MET);
            tierConditions.check(base.get(), versions.now());
            if (snapshots == Snapshots.REFUSE && found.size() > 1) {
                throw new StorageException(StorageError.SNAPSHOTS_PRESENT);
            }
            List<BlobRowStore.Version> deleted = new ArrayList<>(found);
            if (snapshots == Snapshots.ONLY) {
                deleted.removeIf(version -> version.blob().snapshot().isEmpty());
            }
            return deleteAll(container, name, deleted).thenCompose(done -> {
                if (!done || snapshots == Snapshots.ONLY) {
                    return CompletableFuture.completedFuture(done);
                }
                // Otherwise a blob that is created under this name later would have these uncommitted blocks.
                return reclaimer.removeBlocks(container, name, Long.MAX_VALUE).thenApply(removed -> true);
            });
        });
    }

    /**
     * Deletes versions if they have not changed, the blob itself with the last commit; false if one has changed.
     */
    private CompletionStage<Boolean> deleteAll(long container, String name, List<BlobRowStore.Version> deleted) {
        if (deleted.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        int first = Math.min(deleted.size(), Commit.WRITES_MAX);
        List<BlobRowStore.Version> some = deleted.subList(0, first);
        List<Write> writes = new ArrayList<>();
        for (BlobRowStore.Version version : some) {
            writes.add(new Write.Delete(
                    BlobRowCodec.key(container, name, version.blob().snapshot()),
                    Precondition.versionEquals(version.version())));
        }
        return rows.commit(container, BlobRowCodec.partition(name), writes).thenCompose(done -> {
            if (!done) {
                return CompletableFuture.completedFuture(false);
            }
            CompletionStage<Void> dropped = CompletableFuture.completedFuture(null);
            for (BlobRowStore.Version version : some) {
                reclaimer.release(container, name, version.blob().content());
                dropped = dropped.thenCompose(before -> versions.dropTags(container, version.blob()));
            }
            return dropped.thenCompose(untagged -> deleteAll(container, name, deleted.subList(first, deleted.size())));
        });
    }

    private CompletionStage<Void> deleteUncommitted(long container, String name, AccessConditions guard) {
        return reclaimer.hasBlocks(container, name).thenCompose(has -> {
            if (!has) {
                throw guard.absent();
            }
            guard.checkAbsent();
            return reclaimer.removeBlocks(container, name, Long.MAX_VALUE);
        });
    }

    /** Implements {@link BlobService#deleteSnapshot}. */
    CompletionStage<Void> deleteSnapshot(
            BlobAddress address, long snapshot, AccessConditions guard, TierConditions tierConditions) {
        String name = address.name().value();
        return versions.inContainer(
                address,
                container -> rows.read(container, name, OptionalLong.of(snapshot))
                        .thenCompose(found -> {
                            BlobRowStore.Version current = found.orElseThrow(guard::absent);
                            guard.checkWrite(current.blob(), versions.now(), StorageError.CONDITION_NOT_MET);
                            tierConditions.check(current.blob(), versions.now());
                            return deleteAll(container, name, List.of(current)).thenAccept(done -> {
                                if (!done) {
                                    throw guard.absent();
                                }
                            });
                        }));
    }
}
