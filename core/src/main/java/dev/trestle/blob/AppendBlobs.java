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
 * Operations on append blobs. An append takes two commits, because the row of a blob and the parts of its content
 * are in different partitions. The first commit claims the end of the content and writes the block there. The
 * second one publishes the block in the blob's row. Readers, conditions, leases and copies use the blob's row
 * only: a block that was claimed and not published does not exist, and the next append rolls it back. Appends of
 * this process to one blob are serialized.
 */
public final class AppendBlobs {
    /** How long another process may take to publish a claim before the claim is rolled back. */
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

    /** Creates an empty append blob. */
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
     * The conditions of an append.
     *
     * @param position the required length of the blob before the append
     * @param lengthMax the maximum length after it
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
     * A finished append.
     *
     * @param offset of the block in the blob
     */
    public record Appended(Blob blob, long offset) {}

    /** Fails if such a block would be refused now. */
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

    /** An append, attempted until its block is published or refused. */
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

        /** Returns empty after a conflict with another append or change. */
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

        /** Publishes the claimed block. Returns empty if the row has changed since the terms were checked. */
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
         * Removes blocks that were claimed and not published. First rewrites the blob's row unchanged, as a fence:
         * its new version makes the publication of earlier claims fail, and later claims change the tail.
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

        /**
         * Deletes the bytes, unless another process may claim its block again; then {@link Scrub} deletes them.
         */
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

    /** Seals a blob: later appends are refused. */
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
