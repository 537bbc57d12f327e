package dev.trestle.blob;

import dev.trestle.async.KeyedSerialExecutor;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Append blobs. An append is two commits, because a blob's row and the parts of its content lie in different partitions:
 * the first claims the end of the content and writes the block there, the second publishes it by the blob's row. Only
 * the row counts: readers, conditions, leases and copies go by it alone, so a block that was claimed and not published
 * does not exist, and the next append rolls it back. Appends of this process to one blob are serialized.
 */
public final class AppendBlobs {
    /** How long an append of another process has to publish what it claimed before it is taken for dead. */
    private static final Duration CLAIM_PATIENCE = Duration.ofSeconds(2);

    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final BlobContents contents;
    private final boolean shared;
    private final LongSupplier nanoTime;
    private final KeyedSerialExecutor<Key> turns = new KeyedSerialExecutor<>();

    /**
     * Creates the operations on append blobs.
     *
     * @param shared whether other processes append to the same blobs
     * @param nanoTime elapsed time, like {@link System#nanoTime}
     */
    AppendBlobs(
            BlobVersions versions, BlobRowStore rows, BlobContents contents, boolean shared, LongSupplier nanoTime) {
        this.versions = versions;
        this.rows = rows;
        this.contents = contents;
        this.shared = shared;
        this.nanoTime = nanoTime;
    }

    /** Makes an empty blob. */
    public CompletionStage<Blob> create(BlobAddress address, NewBlob made) {
        String name = address.name().value();
        return versions.inContainer(
                address,
                container -> contents.write(container, name, BlobType.APPEND, List.of())
                        .thenCompose(content -> versions.replace(
                                container,
                                name,
                                new BlobVersions.Draft(BlobType.APPEND, made, content, 0, false, Optional.empty()))));
    }

    /**
     * Under what conditions to append.
     *
     * @param position how long the blob has to be before
     * @param lengthMax how long it may be afterwards
     */
    public record Terms(AccessConditions guard, OptionalLong position, OptionalLong lengthMax) {
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
        return versions.inContainer(
                address,
                container -> rows.read(container, address.name().value(), OptionalLong.empty())
                        .thenAccept(found -> terms.check(
                                found.orElseThrow(terms.guard::absent).blob(), bytes, versions.now())));
    }

    public CompletionStage<Appended> append(BlobAddress address, StagedContent staged, Terms terms) {
        String name = address.name().value();
        Part part = staged.part("");
        return versions.inContainer(
                address,
                staged,
                container -> turns.submit(BlobRowCodec.key(container, name, OptionalLong.empty()), () -> {
                            Append append = new Append(container, name, part, terms);
                            return versions.retry().run("Appending a block", append::attempt);
                        })
                        .thenApply(appended -> {
                            contents.keep(container, List.of(part));
                            return appended;
                        }));
    }

    /** One append, attempted until its block is published or refused. */
    private final class Append {
        private final long container;
        private final String name;
        private final Part part;
        private final Terms terms;
        private boolean claimed;
        private long rival;
        private long rivalSince;

        Append(long container, String name, Part part, Terms terms) {
            this.container = container;
            this.name = name;
            this.part = part;
            this.terms = terms;
        }

        /** Returns empty if the block could not be published this time. */
        CompletionStage<Optional<Appended>> attempt() {
            if (part.length() == 0) {
                throw BlobVersions.emptyBlock();
            }
            return rows.read(container, name, OptionalLong.empty()).thenCompose(found -> {
                BlobRowStore.Version current = found.orElseThrow(terms.guard::absent);
                Blob blob = current.blob();
                if (blob.type() != BlobType.APPEND) {
                    terms.check(blob, part.length(), versions.now());
                }
                Key tailKey = BlobRowCodec.tailKey(container, blob.content().manifest(), name);
                return rows.row(tailKey).thenCompose(tail -> attempt(current, tailKey, tail));
            });
        }

        private CompletionStage<Optional<Appended>> attempt(
                BlobRowStore.Version current, Key tailKey, Optional<byte[]> tail) {
            Blob blob = current.blob();
            if (tail.isPresent() && length(blob, tail.get()) > blob.length()) {
                return settle(current, tailKey, Rows.version(tail.get())).thenApply(settled -> Optional.empty());
            }
            terms.check(blob, part.length(), versions.now());
            Precondition unclaimed = tail.map(row -> Precondition.versionEquals(Rows.version(row)))
                    .orElse(Precondition.ABSENT);
            return claim(blob, tailKey, unclaimed)
                    .thenCompose(done -> done ? publish(current) : CompletableFuture.completedFuture(Optional.empty()))
                    .thenApply(published -> published.map(changed -> new Appended(changed, blob.length())));
        }

        private CompletionStage<Boolean> claim(Blob blob, Key tailKey, Precondition unclaimed) {
            Blob.ContentRef content = longer(blob.content());
            Write block = new Write.Put(
                    BlobRowCodec.partKey(container, content.manifest(), name, content.length()),
                    BlobRowCodec.encode(part),
                    Precondition.ABSENT);
            Write tail = new Write.Put(tailKey, BlobRowCodec.encodeTail(content), unclaimed);
            return rows.commit(container, BlobRowCodec.partsPartition(content.manifest(), name), List.of(block, tail));
        }

        /** Makes the claimed block part of the blob, unless the row has changed since the terms were checked on it. */
        private CompletionStage<Optional<Blob>> publish(BlobRowStore.Version current) {
            claimed = true;
            Blob blob = current.blob();
            long now = versions.now();
            Blob.ContentRef content = longer(blob.content());
            Blob published = blob.withContent(content, content.parts())
                    .withModified(BlobETag.next(now, blob.modified()))
                    .withLease(blob.lease().afterChange(now))
                    .withCopy(Optional.empty());
            return versions.commit(container, published, Precondition.versionEquals(current.version()))
                    .thenApply(done -> done ? Optional.of(published) : Optional.empty());
        }

        private Blob.ContentRef longer(Blob.ContentRef content) {
            return new Blob.ContentRef(content.manifest(), content.parts() + 1, content.length() + part.length());
        }

        /** Gives another process time to publish its claim; after that, rolls the claim back. */
        private CompletionStage<Void> settle(BlobRowStore.Version current, Key tailKey, long claim) {
            long now = nanoTime.getAsLong();
            if (rival != claim) {
                rival = claim;
                rivalSince = now;
            }
            if (shared && !claimed && now - rivalSince < CLAIM_PATIENCE.toNanos()) {
                return CompletableFuture.completedFuture(null);
            }
            return rollBack(current, tailKey, claim);
        }

        /**
         * Removes blocks that were claimed and not published. The blob's row is written first, unchanged: by its new
         * version no claim made before can be published any more, and one made after it changes the tail.
         */
        private CompletionStage<Void> rollBack(BlobRowStore.Version current, Key tailKey, long claim) {
            Blob blob = current.blob();
            Blob.ContentRef content = blob.content();
            return versions.commit(container, blob, Precondition.versionEquals(current.version()))
                    .thenCompose(fenced -> {
                        if (!fenced) {
                            return CompletableFuture.completedFuture(null);
                        }
                        List<Part> unpublished = new ArrayList<>();
                        List<Write> writes = new ArrayList<>();
                        writes.add(new Write.Put(
                                tailKey, BlobRowCodec.encodeTail(content), Precondition.versionEquals(claim)));
                        return rows.each(
                                        BlobRowCodec.parts(container, content.manifest(), name, content.length()),
                                        (key, row) -> {
                                            writes.add(new Write.Delete(key, Precondition.NONE));
                                            unpublished.add(BlobRowCodec.decodePart(row));
                                        })
                                .thenCompose(all -> rows.commit(
                                        container, BlobRowCodec.partsPartition(content.manifest(), name), writes))
                                .thenAccept(done -> {
                                    if (done) {
                                        discard(unpublished);
                                    }
                                });
                    });
        }

        /** Another process may claim its block again, so there the bytes are left to {@link Scrub}. */
        private void discard(List<Part> unpublished) {
            for (Part block : unpublished) {
                if (!shared && !block.place().equals(part.place())) {
                    contents.discard(container, block);
                }
            }
        }
    }

    private static long length(Blob blob, byte[] tail) {
        return BlobRowCodec.decodeTail(blob.content().manifest(), tail).length();
    }

    /** Ends a blob's growing. */
    public CompletionStage<Blob> seal(BlobAddress address, AccessConditions guard, OptionalLong position) {
        return versions.inContainer(
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
                            : blob.withSealed(true)
                                    .withModified(BlobETag.next(now, blob.modified()))
                                    .withLease(blob.lease().afterChange(now));
                }));
    }
}
