package dev.trestle.blob;

import dev.trestle.engine.Precondition;
import dev.trestle.engine.Stages;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Blobs that grow at their end. A block is appended by a commit to the content, which only one of many can make at a
 * time, and then told to the blob. A stop between the two leaves a block that was not acknowledged and that the next
 * append finds and takes in, so no two blocks are ever in one place. Appends of this process take turns, so that they do
 * not get into each other's way.
 */
public final class AppendBlobs {
    private final BlobVersions versions;
    private final BlobStore rows;
    private final Contents contents;
    private final Turns<Key> turns = new Turns<>();

    AppendBlobs(BlobVersions versions, BlobStore rows, Contents contents) {
        this.versions = versions;
        this.rows = rows;
        this.contents = contents;
    }

    /** Makes an empty blob. */
    public CompletionStage<Blob> create(BlobAddress address, NewBlob made) {
        String name = address.name().value();
        return versions.in(
                address,
                container -> contents.write(container, name, BlobType.APPEND, List.of())
                        .thenCompose(content -> versions.replace(
                                container,
                                name,
                                new BlobVersions.Draft(BlobType.APPEND, made, content, 0, Optional.empty()))));
    }

    /**
     * Under what conditions to append.
     *
     * @param position how long the blob has to be before
     * @param lengthMax how long it may be afterwards
     */
    public record Terms(Guard guard, OptionalLong position, OptionalLong lengthMax) {
        private void check(Blob blob, long bytes, long now) {
            guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
            if (blob.type() != BlobType.APPEND) {
                throw new StorageException(StorageError.INVALID_BLOB_TYPE);
            }
            if (blob.sealed()) {
                throw new StorageException(StorageError.BLOB_IS_SEALED);
            }
            if (blob.appends() >= Limits.BLOCKS_MAX) {
                throw new StorageException(StorageError.BLOCK_COUNT_EXCEEDS_LIMIT);
            }
            if (position.isPresent() && position.getAsLong() != blob.length()) {
                throw new StorageException(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
            }
            if (lengthMax.isPresent() && blob.length() + bytes > lengthMax.getAsLong()) {
                throw new StorageException(StorageError.MAX_BLOB_SIZE_CONDITION_NOT_MET);
            }
        }
    }

    /**
     * A block that was appended.
     *
     * @param offset where in the blob it begins
     */
    public record Appended(Blob blob, long offset) {}

    /** Throws what would stand in the way of such a block, now. */
    public CompletionStage<Void> check(BlobAddress address, Terms terms, long bytes) {
        return versions.in(
                address,
                container -> rows.read(container, address.name().value(), OptionalLong.empty())
                        .thenAccept(found -> terms.check(
                                found.orElseThrow(terms.guard::absent).blob(), bytes, versions.now())));
    }

    public CompletionStage<Appended> append(BlobAddress address, Staged staged, Terms terms) {
        String name = address.name().value();
        Part part = staged.part("");
        return versions.in(
                address,
                container -> turns.take(
                                BlobRows.key(container, name, OptionalLong.empty()),
                                () -> append(container, name, part, terms))
                        .whenComplete((appended, failure) -> {
                            if (failure == null) {
                                contents.keep(container, List.of(part));
                            } else if (Stages.cause(failure) instanceof StorageException) {
                                contents.discard(container, part);
                            }
                        }));
    }

    private CompletionStage<Appended> append(long container, String name, Part part, Terms terms) {
        if (part.length() == 0) {
            throw BlobVersions.emptyBlock();
        }
        return rows.read(container, name, OptionalLong.empty()).thenCompose(found -> {
            BlobStore.Version current = found.orElseThrow(terms.guard::absent);
            Blob blob = current.blob();
            terms.check(blob, part.length(), versions.now());
            Key tailKey = BlobRows.tailKey(container, blob.content().manifest(), name);
            return rows.row(tailKey).thenCompose(row -> {
                Optional<Blob.ContentRef> tail =
                        row.map(bytes -> BlobRows.decodeTail(blob.content().manifest(), bytes));
                if (tail.isPresent() && tail.get().length() > blob.length()) {
                    // Appended by somebody who could not tell the blob any more, or has not yet.
                    return tell(container, current, tail.get())
                            .thenCompose(told -> append(container, name, part, terms));
                }
                Precondition unchanged = row.map(bytes -> Precondition.versionEquals(Rows.version(bytes)))
                        .orElse(Precondition.ABSENT);
                return append(container, current, part, tailKey, unchanged)
                        .thenCompose(appended -> appended
                                ? tell(container, current, longer(blob.content(), part))
                                        .thenApply(told -> new Appended(told, blob.length()))
                                : append(container, name, part, terms));
            });
        });
    }

    private static Blob.ContentRef longer(Blob.ContentRef content, Part part) {
        return new Blob.ContentRef(content.manifest(), content.parts() + 1, content.length() + part.length());
    }

    private CompletionStage<Boolean> append(
            long container, BlobStore.Version current, Part part, Key tailKey, Precondition unchanged) {
        Blob blob = current.blob();
        Blob.ContentRef content = longer(blob.content(), part);
        String manifest = content.manifest();
        return rows.commit(
                container,
                BlobRows.partsPartition(manifest, blob.name()),
                List.of(
                        new Write.Put(
                                BlobRows.partKey(container, manifest, blob.name(), content.length()),
                                BlobRows.encode(part),
                                Precondition.ABSENT),
                        new Write.Put(tailKey, BlobRows.encodeTail(content), unchanged)));
    }

    /** Tells the blob how long its content is; of no effect when it knows, or has another by now. */
    private CompletionStage<Blob> tell(long container, BlobStore.Version current, Blob.ContentRef content) {
        Blob blob = current.blob();
        long now = versions.now();
        Blob told = blob.withContent(content, content.parts())
                .withModified(BlobETag.next(now, blob.modified()))
                .withLease(blob.lease().afterChange(now))
                .withCopy(Optional.empty());
        return versions.commit(container, told, Precondition.versionEquals(current.version()))
                .thenCompose(done -> done
                        ? CompletableFuture.completedFuture(told)
                        : rows.read(container, blob.name(), OptionalLong.empty())
                                .thenCompose(again -> {
                                    Optional<BlobStore.Version> same = again.filter(version ->
                                            version.blob().content().manifest().equals(content.manifest()));
                                    return same.isPresent() && same.get().blob().length() < content.length()
                                            ? tell(container, same.get(), content)
                                            : CompletableFuture.completedFuture(same.map(BlobStore.Version::blob)
                                                    .orElse(told));
                                }));
    }

    /** Ends a blob's growing. */
    public CompletionStage<Blob> seal(BlobAddress address, Guard guard, OptionalLong position) {
        return versions.in(
                address,
                container -> versions.change(container, address.name().value(), guard.conditions(), (blob, now) -> {
                    guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
                    if (blob.type() != BlobType.APPEND) {
                        throw new StorageException(StorageError.INVALID_BLOB_TYPE);
                    }
                    if (position.isPresent() && position.getAsLong() != blob.length()) {
                        throw new StorageException(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
                    }
                    return blob.sealed()
                            ? blob
                            : blob.asSealed()
                                    .withModified(BlobETag.next(now, blob.modified()))
                                    .withLease(blob.lease().afterChange(now));
                }));
    }
}
