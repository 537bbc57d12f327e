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
 * How a blob changes: it is read, checked and written again, and if somebody was faster all over again. So the check and
 * the change are one step to everybody, whichever process they ask.
 */
final class BlobVersions {
    /** Few and fast, because content that is damaged is read as often. */
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

    /** Does something in the container, in the service's words also where that cannot be. */
    <T> CompletionStage<T> inContainer(BlobAddress address, LongFunction<CompletionStage<T>> work) {
        return translateFailures(found(address, work));
    }

    /** Like {@link #inContainer}, for what makes a blob hold an upload, whose content is reclaimed if that fails. */
    <T> CompletionStage<T> inContainer(
            BlobAddress address, StagedContent staged, LongFunction<CompletionStage<T>> work) {
        Optional<StagedContent.Content> content = staged.content();
        return translateFailures(found(address, container -> {
                    // Deleted and made again since the upload began: the content belongs to the one that is gone.
                    if (content.isPresent() && content.get().container() != container) {
                        throw new ContainerGoneException();
                    }
                    return work.apply(container);
                })
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        content.ifPresent(unheld -> unreferenced.release(unheld, StageFailures.cause(failure)));
                    }
                }));
    }

    /** Reclaims the contents of parts that a blob was to hold, which has failed. */
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

    /** What nobody can say where it begins and where it ends. */
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

    /** What is done to a blob that is there. */
    interface Change {
        /** Throws what stands in the way; may be asked again. */
        Blob apply(Blob blob, long now);
    }

    /** Changes a blob that has to be there, for somebody who wants these conditions to hold. */
    CompletionStage<Blob> change(long container, String name, Conditions conditions, Change change) {
        return change(container, name, OptionalLong.empty(), conditions, change);
    }

    /** Changes a blob or a snapshot likewise. */
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

    /** A change that a reader must be able to notice, by somebody whom the guard lets through. */
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

    /** Throws what would stand in the way of a new blob, now. */
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

    /** What a new blob is to be, with a content that has been written; empty to be asked for it first. */
    record Draft(
            BlobType type,
            NewBlob made,
            Blob.ContentRef content,
            int appends,
            boolean sealed,
            Optional<CopyState> copy,
            Optional<Tier> rehydrating) {
        /** A blob that has its tier at once. */
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

    /** Makes a blob, or makes it anew, of a content that lies there already; lets go of that if it cannot be. */
    CompletionStage<Blob> replace(long container, String name, Draft draft) {
        return retry.run(
                        "Replacing a blob",
                        () -> rows.read(container, name, OptionalLong.empty())
                                .thenCompose(found -> replace(container, name, draft, found)))
                .whenComplete((made, failure) -> {
                    // After trouble of the engine nobody knows whether the blob was made.
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

    /** Puts a blob in the place of what was found, if that is still there; false if not. */
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
     * Writes the row of a blob if it is still as it was found, and keeps the index of tags; false if it is not. The index
     * costs nothing where no tags change.
     */
    private CompletionStage<Boolean> write(long container, Blob made, Optional<BlobRowStore.Version> found) {
        Precondition unchanged = found.map(version -> Precondition.versionEquals(version.version()))
                .orElse(Precondition.ABSENT);
        BlobTags old = found.map(version -> version.blob().tags()).orElse(BlobTags.NONE);
        BlobTags wanted = made.tags().replacing(old);
        if (wanted.equals(old)) {
            return commit(container, made.withTags(old), unchanged);
        }
        // Also when this is tried again, so that no row is relied on that another writer has removed since.
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
