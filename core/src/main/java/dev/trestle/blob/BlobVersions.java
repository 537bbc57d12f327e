package dev.trestle.blob;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Changes blobs by optimistic concurrency: reads the row, checks conditions, writes conditionally, and retries
 * after a conflict. So the check and the change are atomic, also between processes.
 */
final class BlobVersions {
    /** Few attempts with short delays, because damaged content is read as often before the error. */
    private static final int READS_MAX = 20;

    private static final Duration READ_DELAY_MAX = Duration.ofMillis(10);

    private final Catalogue catalogue;
    private final BlobRowStore rows;
    private final Reclaimer reclaimer;
    private final TagIndex index;
    private final UnreferencedContents unreferenced;
    private final MonotonicTicks ticks;
    private final OptimisticRetry retry;
    private final OptimisticRetry reads;

    BlobVersions(
            Catalogue catalogue,
            BlobRowStore rows,
            TagIndex index,
            Reclaimer reclaimer,
            UnreferencedContents unreferenced,
            MonotonicTicks ticks,
            OptimisticRetry retry) {
        this.catalogue = catalogue;
        this.rows = rows;
        this.index = index;
        this.reclaimer = reclaimer;
        this.unreferenced = unreferenced;
        this.ticks = ticks;
        this.retry = retry;
        this.reads = retry.withLimits(READS_MAX, READ_DELAY_MAX);
    }

    long now() {
        return ticks.next();
    }

    /** Runs work on an existing container. Failures are errors of the service. */
    <T> CompletionStage<T> inContainer(BlobAddress address, LongFunction<CompletionStage<T>> work) {
        return translateFailures(found(address, work));
    }

    /**
     * Like the other one, for work that makes a blob refer to an upload. Reclaims the content if the work fails.
     */
    <T> CompletionStage<T> inContainer(
            BlobAddress address, StagedContent staged, LongFunction<CompletionStage<T>> work) {
        Optional<StagedContent.Content> content = staged.content();
        return translateFailures(found(address, container -> {
                    // The container was deleted and created again since the upload began.
                    if (content.isPresent() && content.get().container() != container) {
                        throw new ContainerGoneException();
                    }
                    return work.apply(container);
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        content.ifPresent(unused -> unreferenced.release(unused, StageFailures.cause(failure)));
                    }
                }));
    }

    /** Reclaims the contents of parts after the blob that was to refer to them could not be written. */
    void release(long container, String name, List<Part> parts, Throwable failure) {
        for (Part part : parts) {
            if (part.place() instanceof Part.Stored stored) {
                unreferenced.release(
                        new StagedContent.Content(container, stored.name(), BlobRowCodec.owner(container, name)),
                        StageFailures.cause(failure));
            }
        }
    }

    private <T> CompletionStage<T> found(BlobAddress address, LongFunction<CompletionStage<T>> work) {
        String name = address.container().value();
        return catalogue
                .use(
                        address.account(),
                        name,
                        found -> work.apply(found.map(CatalogueEntry::id)
                                .orElseThrow(() -> new StorageException(StorageError.CONTAINER_NOT_FOUND))))
                .exceptionallyCompose(failure -> {
                    Throwable cause = StageFailures.cause(failure);
                    if (cause instanceof ContainerGoneException) {
                        catalogue.evict(address.account(), name);
                        return CompletableFuture.failedFuture(new StorageException(StorageError.CONTAINER_NOT_FOUND));
                    }
                    return CompletableFuture.failedFuture(cause);
                });
    }

    /** Returns the error for a block without bytes. */
    static StorageException emptyBlock() {
        return new StorageException(StorageError.INVALID_HEADER_VALUE).with("HeaderName", "Content-Length");
    }

    /** Runs work on the content of a blob, and repeats it if the content was replaced in the meantime. */
    <T> CompletionStage<T> retryIfReplaced(Supplier<CompletionStage<T>> work) {
        return reads.run(
                () -> work.get().thenApply(Optional::of).exceptionallyCompose(failure -> {
                    Throwable cause = StageFailures.cause(failure);
                    boolean gone = cause instanceof ContentGoneException
                            || (cause instanceof EngineException error && error.kind() == EngineException.Kind.CORRUPT);
                    return gone
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : CompletableFuture.failedFuture(cause);
                }),
                () -> CompletableFuture.failedFuture(new EngineException(
                        EngineException.Kind.CORRUPT,
                        "A part of the content of a blob is missing; run trestle scrub.")),
                Runnable::run);
    }

    /** Returns the retries of operations that write more than the row of a blob. */
    OptimisticRetry retry() {
        return retry;
    }

    /** A change of an existing blob. */
    interface Change {
        /** Returns the changed blob, or throws if a condition does not hold. May run more than once. */
        Blob apply(Blob blob, long now);
    }

    /** Changes an existing blob. */
    CompletionStage<Blob> change(long container, String name, Conditions conditions, Change change) {
        return change(container, name, OptionalLong.empty(), conditions, change);
    }

    /** Changes an existing blob or snapshot. */
    CompletionStage<Blob> change(
            long container, String name, OptionalLong snapshot, Conditions conditions, Change change) {
        return retry.run(
                "Changing a blob",
                () -> rows.read(container, name, snapshot).thenCompose(found -> {
                    BlobRowStore.Version current = found.orElseThrow(conditions::absent);
                    Blob changed = change.apply(current.blob(), now());
                    return write(container, changed, found)
                            .thenApply(done -> done ? Optional.of(changed) : Optional.empty());
                }));
    }

    /** Changes an existing blob and its ETag. */
    CompletionStage<Blob> modify(long container, String name, AccessConditions guard, UnaryOperator<Blob> change) {
        return change(container, name, guard.conditions(), (blob, now) -> {
            guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
            blob.tier().requireOnline(now);
            return change.apply(blob)
                    .withModified(BlobETag.next(now, blob.modified()))
                    .withLease(blob.lease().afterChange(now))
                    .withCopy(Optional.empty());
        });
    }

    /** Fails if a new blob would be refused now. */
    CompletionStage<Void> check(long container, String name, BlobType type, NewBlob made) {
        return rows.read(container, name, OptionalLong.empty())
                .thenAccept(found -> check(found.map(BlobRowStore.Version::blob), type, made, now()));
    }

    static void check(Optional<Blob> old, BlobType type, NewBlob made, long now) {
        if (old.isEmpty()) {
            made.guard().checkAbsent();
            return;
        }
        made.guard().checkWrite(old.get(), now, StorageError.BLOB_ALREADY_EXISTS);
        if (made.copiedAsynchronously() && old.get().lease().endsByItself(now)) {
            throw new StorageException(StorageError.INFINITE_LEASE_DURATION_REQUIRED);
        }
        if (old.get().type() != type) {
            throw new StorageException(StorageError.INVALID_BLOB_TYPE);
        }
        if (!made.mayOverwrite()) {
            throw new StorageException(StorageError.UNAUTHORIZED_BLOB_OVERWRITE);
        }
        old.get().tier().requireOnline(now);
    }

    /** A new blob whose content has been written. */
    record Draft(
            BlobType type,
            NewBlob made,
            Blob.ContentRef content,
            int appends,
            boolean sealed,
            Optional<CopyState> copy,
            Optional<Tier> rehydrating) {
        /** Creates a draft without a rehydration. */
        Draft(
                BlobType type,
                NewBlob made,
                Blob.ContentRef content,
                int appends,
                boolean sealed,
                Optional<CopyState> copy) {
            this(type, made, content, appends, sealed, copy, Optional.empty());
        }

        Blob over(String name, Optional<Blob> old, long now) {
            long modified = BlobETag.next(now, old.map(Blob::modified).orElse(0L));
            return new Blob(
                    name,
                    OptionalLong.empty(),
                    type,
                    old.map(Blob::created).orElse(modified),
                    modified,
                    modified,
                    content,
                    appends,
                    sealed,
                    made.headers(),
                    made.metadata(),
                    rehydrating
                            .or(() -> made.tier().map(tier -> new Tier(tier, now)))
                            .or(() -> old.map(Blob::tier))
                            .orElse(Tier.DEFAULT),
                    old.map(blob -> blob.lease().afterChange(now)).orElse(Lease.NONE),
                    copy,
                    BlobTags.of(made.tags()));
        }
    }

    /** Creates or replaces a blob. Reclaims the new content if that is refused. */
    CompletionStage<Blob> replace(long container, String name, Draft draft) {
        return retry.run(
                        "Replacing a blob",
                        () -> rows.read(container, name, OptionalLong.empty())
                                .thenCompose(found -> replace(container, name, draft, found)))
                .whenComplete((made, failure) -> {
                    // After a failure of the engine, the blob may have been written.
                    if (failure != null && StageFailures.cause(failure) instanceof StorageException) {
                        reclaimer.release(container, name, draft.content);
                    }
                });
    }

    private CompletionStage<Optional<Blob>> replace(
            long container, String name, Draft draft, Optional<BlobRowStore.Version> found) {
        long now = now();
        Optional<Blob> old = found.map(BlobRowStore.Version::blob);
        check(old, draft.type, draft.made, now);
        Blob made = draft.over(name, old, now);
        return replaceIf(container, made, found).thenApply(done -> done ? Optional.of(made) : Optional.empty());
    }

    /** Replaces the version that was found, and reclaims its content; false if the blob has changed since. */
    CompletionStage<Boolean> replaceIf(long container, Blob made, Optional<BlobRowStore.Version> found) {
        return write(container, made, found).thenApply(done -> {
            if (done) {
                found.ifPresent(version ->
                        reclaimer.release(container, made.name(), version.blob().content()));
            }
            return done;
        });
    }

    /**
     * Writes the row of a blob and its rows in the tag index; false if the blob has changed since it was found.
     * Writes to the index only if tags change.
     */
    private CompletionStage<Boolean> write(long container, Blob made, Optional<BlobRowStore.Version> found) {
        Precondition unchanged = found.map(version -> Precondition.versionEquals(version.version()))
                .orElse(Precondition.ABSENT);
        BlobTags old = found.map(version -> version.blob().tags()).orElse(BlobTags.NONE);
        BlobTags wanted = made.tags().replacing(old);
        if (wanted.equals(old)) {
            return commit(container, made.withTags(old), unchanged);
        }
        // Each attempt adds rows of its own, so that it does not depend on rows that another writer has removed.
        return index.add(container, made.name(), wanted)
                .thenCompose(indexed -> commit(container, made.withTags(indexed), unchanged)
                        .thenCompose(done -> done
                                ? index.remove(container, made.name(), old.without(indexed))
                                        .thenApply(removed -> true)
                                : CompletableFuture.completedFuture(false)));
    }

    /** Removes the tags of a blob that was deleted from the index. */
    CompletionStage<Void> dropTags(long container, Blob deleted) {
        return deleted.tags().entries().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : index.remove(container, deleted.name(), deleted.tags());
    }

    CompletionStage<Boolean> commit(long container, Blob blob, Precondition precondition) {
        return rows.commit(container, BlobRowCodec.partition(blob.name()), List.of(put(container, blob, precondition)));
    }

    static Write put(long container, Blob blob, Precondition precondition) {
        return new Write.Put(
                BlobRowCodec.key(container, blob.name(), blob.snapshot()), BlobRowCodec.encode(blob), precondition);
    }
}
