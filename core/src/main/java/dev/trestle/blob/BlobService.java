package dev.trestle.blob;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.engine.Commit;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The Blob service of any number of accounts on one engine and one content store: what all blobs have in common, and the
 * way to the rest. Stages complete exceptionally with {@link StorageException} for everything the caller should be told.
 */
public final class BlobService {
    /** How long a blob takes to come out of the archive, unless another time is wanted. */
    public static final Duration REHYDRATION = Duration.ofSeconds(5);

    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final long rehydrationTicks;
    private final ContentStore store;
    private final BlobContents contents;
    private final UnreferencedContents unheldContents;
    private final Reclaimer reclaimer;
    private final Containers containers;
    private final BlockBlobs blocks;
    private final AppendBlobs appends;
    private final Copies copies;
    private final BlobLister lister;
    private final TagFinder finder;
    private final Scrub scrub;

    /**
     * The service on what is stored.
     *
     * @param catalogue of the containers, see {@link Catalogue#with}
     * @param random for any thread; draws names that nobody should be able to guess
     * @param rehydration how long a blob takes to come out of the archive
     * @param trouble told what went wrong where no request could be told
     */
    public BlobService(
            Engine engine,
            ContentStore store,
            Catalogue catalogue,
            InstantSource clock,
            RandomGenerator random,
            Duration rehydration,
            Consumer<Throwable> trouble) {
        this.rehydrationTicks = rehydration.toMillis() * (Ticks.PER_SECOND / 1000);
        MonotonicTicks moments = new MonotonicTicks(clock);
        ContentPins pins = new ContentPins();
        this.store = store;
        this.rows = new BlobRowStore(engine);
        this.reclaimer = new Reclaimer(rows, store, pins, engine.isShared(), trouble);
        TagIndex index = new TagIndex(rows, moments, random, trouble);
        this.unheldContents = new UnreferencedContents(rows, store, reclaimer, engine.isShared());
        this.versions = new BlobVersions(
                catalogue, rows, index, reclaimer, unheldContents, moments, new OptimisticRetry(random));
        this.contents = new BlobContents(rows, store, moments, random, pins, new VerifiedContents(System::nanoTime));
        this.containers = new Containers(catalogue, moments);
        this.blocks = new BlockBlobs(versions, rows, contents, reclaimer);
        this.appends = new AppendBlobs(versions, rows, contents, engine.isShared(), System::nanoTime);
        this.copies = new Copies(versions, contents, this, rehydrationTicks);
        this.lister = new BlobLister(versions, rows);
        this.finder = new TagFinder(catalogue, rows, index, moments, System::nanoTime);
        this.scrub = new Scrub(catalogue, rows, store, reclaimer, unheldContents, moments, engine.isShared());
    }

    /** The service with the usual time for blobs to come out of the archive. */
    public BlobService(
            Engine engine,
            ContentStore store,
            Catalogue catalogue,
            InstantSource clock,
            RandomGenerator random,
            Consumer<Throwable> trouble) {
        this(engine, store, catalogue, clock, random, REHYDRATION, trouble);
    }

    public Containers containers() {
        return containers;
    }

    public BlockBlobs blocks() {
        return blocks;
    }

    public AppendBlobs appends() {
        return appends;
    }

    public Copies copies() {
        return copies;
    }

    public BlobLister lister() {
        return lister;
    }

    public TagFinder finder() {
        return finder;
    }

    public Scrub scrub() {
        return scrub;
    }

    /** How often a content that was read was not what was written. */
    public long damagedReads() {
        return contents.damagedReads();
    }

    /** Settles what a process that is no more left half done; called once, at start. */
    public CompletionStage<Void> recover() {
        return store.resolve(reclaimer::isHeld);
    }

    /** A moment, in ticks, by which leases can be judged. */
    public long now() {
        return versions.now();
    }

    /** Begins to take in bytes for a blob in a container that has to be there. */
    public CompletionStage<Upload> upload(BlobAddress address) {
        return upload(address, 0);
    }

    /**
     * Begins to take in bytes for a blob in a container that has to be there. Fails while the disk has no room for them or
     * the engine takes no commits, so that nobody sends them in vain.
     *
     * @param bytes how many are expected
     */
    public CompletionStage<Upload> upload(BlobAddress address, long bytes) {
        return versions.in(
                address,
                container -> rows.requireWritable(container)
                        .thenCompose(writable -> unheldContents.settle())
                        .thenCompose(settled -> store.requireRoom(bytes))
                        .thenApply(room ->
                                contents.upload(container, address.name().value())));
    }

    /** What has arrived, unless the check throws; then it is let go of. */
    public CompletionStage<StagedContent> checked(StagedContent staged, Consumer<StagedContent> check) {
        try {
            check.accept(staged);
            return CompletableFuture.completedFuture(staged);
        } catch (StorageException e) {
            staged.content().ifPresent(unheldContents::delete);
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Throws what would stand in the way of a new blob, now, so that nobody sends its bytes in vain. */
    public CompletionStage<Void> check(BlobAddress address, BlobType type, NewBlob made) {
        return versions.in(
                address, container -> versions.check(container, address.name().value(), type, made));
    }

    /** A blob or a snapshot that is there, for somebody whom the guard lets through. */
    public CompletionStage<Blob> find(BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        return versions.in(address, container -> find(container, address, snapshot, guard));
    }

    private CompletionStage<Blob> find(
            long container, BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        return rows.read(container, address.name().value(), snapshot).thenApply(found -> {
            Blob blob = found.orElseThrow(guard::absentForReader).blob();
            guard.checkRead(blob, versions.now());
            return blob;
        });
    }

    /** Which bytes of a blob. */
    public record Range(long from, long length) {}

    /** A blob and the bytes of it that were asked for. */
    public record Opened(Blob blob, Range range, BlobReader reader) {}

    /**
     * Opens a blob or a snapshot. What is read is what it was at one moment, whatever happens to it meanwhile.
     *
     * @param range what to read of it; what it throws is what the stage fails with
     */
    public CompletionStage<Opened> open(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, Function<Blob, Range> range) {
        return versions.in(
                address,
                container -> versions.retryIfReplaced(() -> find(container, address, snapshot, guard)
                        .thenCompose(blob -> {
                            blob.tier().requireOnline(versions.now());
                            Range wanted = range.apply(blob);
                            return contents.open(container, blob, wanted.from, wanted.length)
                                    .thenCompose(reader -> still(container, blob, reader))
                                    .thenApply(reader -> new Opened(blob, wanted, reader));
                        })));
    }

    /**
     * The reader of a content that will stay. One of many parts may have lost the last of them before it was pinned; but
     * not if a blob holds it now.
     */
    private CompletionStage<BlobReader> still(long container, Blob blob, BlobReader reader) {
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

    public CompletionStage<Blob> setHeaders(BlobAddress address, AccessConditions guard, ContentHeaders headers) {
        return versions.in(
                address,
                container ->
                        versions.modify(container, address.name().value(), guard, blob -> blob.withHeaders(headers)));
    }

    public CompletionStage<Blob> setMetadata(
            BlobAddress address, AccessConditions guard, Map<String, String> metadata) {
        return versions.in(
                address,
                container ->
                        versions.modify(container, address.name().value(), guard, blob -> blob.withMetadata(metadata)));
    }

    /** Sets the tier of a blob or of a snapshot, which changes no ETag. From the archive it takes a while. */
    public CompletionStage<Blob> setTier(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, String tier, Tier.Priority priority) {
        String name = address.name().value();
        return versions.in(
                address,
                container -> versions.change(container, name, snapshot, guard.conditions(), (blob, now) -> {
                    guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
                    if (blob.type() != BlobType.BLOCK) {
                        throw new StorageException(StorageError.INVALID_BLOB_TYPE);
                    }
                    return blob.withTier(blob.tier().set(tier, priority, now, rehydrationTicks));
                }));
    }

    /** Replaces all tags, which is no change that readers would notice. */
    public CompletionStage<Blob> setTags(BlobAddress address, AccessConditions guard, Map<String, String> tags) {
        return versions.in(
                address,
                container -> versions.change(container, address.name().value(), guard.conditions(), (blob, now) -> {
                    guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
                    return blob.withTags(BlobTags.of(tags));
                }));
    }

    /** What somebody does with a lease. */
    public interface LeaseAction {
        Lease apply(Lease lease, long now);
    }

    /**
     * Does something with the lease of a blob.
     *
     * @param guard of which the lease does not count: the action has its own
     */
    public CompletionStage<Blob> lease(BlobAddress address, AccessConditions guard, LeaseAction action) {
        return versions.in(
                address,
                container -> versions.change(container, address.name().value(), guard.conditions(), (blob, now) -> {
                    guard.checkConditions(blob);
                    return blob.withLease(action.apply(blob.lease(), now));
                }));
    }

    /**
     * Keeps the blob as it is now.
     *
     * @param metadata of the snapshot; empty for that of the blob
     */
    public CompletionStage<Blob> snapshot(BlobAddress address, AccessConditions guard, Map<String, String> metadata) {
        String name = address.name().value();
        return versions.in(
                address,
                container ->
                        versions.retry().run("Making a snapshot", () -> snapshot(container, name, guard, metadata)));
    }

    private CompletionStage<Optional<Blob>> snapshot(
            long container, String name, AccessConditions guard, Map<String, String> metadata) {
        return rows.read(container, name, OptionalLong.empty()).thenCompose(found -> {
            BlobRowStore.Version current = found.orElseThrow(guard::absent);
            Blob blob = current.blob();
            long now = versions.now();
            guard.checkConditions(blob);
            blob.lease().checkRead(now, guard.lease(), Lease.Codes.BLOB);
            blob.tier().requireOnline(now);
            Blob snapshot = metadata.isEmpty()
                    ? blob.asSnapshot(now, blob.metadata())
                    : blob.asSnapshot(now, metadata).withModified(BlobETag.next(now, blob.modified()));
            // The blob is written as it is, so that whoever is about to replace it sees that its content is held twice.
            List<Write> writes = List.of(
                    BlobVersions.put(container, snapshot, Precondition.ABSENT),
                    BlobVersions.put(container, blob, Precondition.versionEquals(current.version())));
            return rows.commit(container, BlobRowCodec.partition(name), writes)
                    .thenApply(done -> done ? Optional.of(snapshot) : Optional.empty());
        });
    }

    /** What to do about the snapshots of a blob that is deleted. */
    public enum Snapshots {
        /** There must be none. */
        REFUSE,
        INCLUDE,
        /** They go and the blob stays. */
        ONLY
    }

    public CompletionStage<Void> delete(BlobAddress address, AccessConditions guard, Snapshots snapshots) {
        return delete(address, guard, TierConditions.NONE, snapshots);
    }

    public CompletionStage<Void> delete(
            BlobAddress address, AccessConditions guard, TierConditions tierConditions, Snapshots snapshots) {
        String name = address.name().value();
        return versions.in(
                address,
                container -> versions.retry()
                        .runUntilTrue(
                                "Deleting a blob", () -> delete(container, name, guard, tierConditions, snapshots)));
    }

    /** Returns false if a version of the blob has changed since it was read. */
    private CompletionStage<Boolean> delete(
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
            List<BlobRowStore.Version> going = new ArrayList<>(found);
            if (snapshots == Snapshots.ONLY) {
                going.removeIf(version -> version.blob().snapshot().isEmpty());
            }
            return deleteAll(container, name, going).thenCompose(done -> {
                if (!done || snapshots == Snapshots.ONLY) {
                    return CompletableFuture.completedFuture(done);
                }
                // Otherwise a blob that is created under this name later would have these uncommitted blocks.
                return reclaimer.removeBlocks(container, name, Long.MAX_VALUE).thenApply(removed -> true);
            });
        });
    }

    /** Deletes rows as they were found, the last ones together; false when one has changed. */
    private CompletionStage<Boolean> deleteAll(long container, String name, List<BlobRowStore.Version> going) {
        if (going.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        int first = Math.min(going.size(), Commit.WRITES_MAX);
        List<BlobRowStore.Version> some = going.subList(0, first);
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
            return dropped.thenCompose(untagged -> deleteAll(container, name, going.subList(first, going.size())));
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

    public CompletionStage<Void> deleteSnapshot(BlobAddress address, long snapshot, AccessConditions guard) {
        return deleteSnapshot(address, snapshot, guard, TierConditions.NONE);
    }

    public CompletionStage<Void> deleteSnapshot(
            BlobAddress address, long snapshot, AccessConditions guard, TierConditions tierConditions) {
        String name = address.name().value();
        return versions.in(
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
