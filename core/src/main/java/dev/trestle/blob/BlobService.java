package dev.trestle.blob;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.catalogue.Catalogue;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The Blob service of all accounts on one engine and one content store. Has the operations that all types of blobs
 * share, and gives access to the others. Stages fail with {@link StorageException} for errors of the client.
 */
public final class BlobService {
    /** The default duration of a rehydration from the archive tier. */
    public static final Duration REHYDRATION = Duration.ofSeconds(5);

    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final long rehydrationTicks;
    private final ContentStore store;
    private final BlobContents contents;
    private final Reclaimer reclaimer;
    private final Uploads uploads;
    private final BlobOpener opener;
    private final BlobDeletion deletion;
    private final Containers containers;
    private final BlockBlobs blocks;
    private final AppendBlobs appends;
    private final Copies copies;
    private final BlobLister lister;
    private final TagFinder finder;
    private final Scrub scrub;

    /**
     * Creates the service.
     *
     * @param catalogue of the containers, see {@link Catalogue#with}
     * @param random draws names that must not be predictable; thread-safe
     * @param rehydration the duration of a rehydration from the archive tier
     * @param failureListener receives failures that no request can report
     */
    public BlobService(
            Engine engine,
            ContentStore store,
            Catalogue catalogue,
            InstantSource clock,
            RandomGenerator random,
            Duration rehydration,
            Consumer<Throwable> failureListener) {
        this.rehydrationTicks = rehydration.toMillis() * (Ticks.PER_SECOND / 1000);
        MonotonicTicks ticks = new MonotonicTicks(clock);
        ContentPins pins = new ContentPins();
        this.store = store;
        this.rows = new BlobRowStore(engine);
        this.reclaimer = new Reclaimer(rows, store, pins, engine.isShared(), failureListener);
        TagIndex index = new TagIndex(rows, ticks, random, failureListener);
        UnreferencedContents unreferenced = new UnreferencedContents(rows, store, reclaimer, engine.isShared());
        this.versions =
                new BlobVersions(catalogue, rows, index, reclaimer, unreferenced, ticks, new OptimisticRetry(random));
        this.contents = new BlobContents(rows, store, ticks, random, pins, new VerifiedContents(System::nanoTime));
        this.uploads = new Uploads(versions, rows, store, contents, unreferenced);
        this.opener = new BlobOpener(versions, rows, contents);
        this.deletion = new BlobDeletion(versions, rows, reclaimer);
        this.containers = new Containers(catalogue, ticks);
        this.blocks = new BlockBlobs(versions, rows, contents, reclaimer);
        this.appends = new AppendBlobs(versions, rows, contents, engine.isShared(), System::nanoTime);
        this.copies = new Copies(versions, contents, opener, uploads, rehydrationTicks);
        this.lister = new BlobLister(versions, rows);
        this.finder = new TagFinder(catalogue, rows, index, ticks, System::nanoTime);
        this.scrub = new Scrub(catalogue, rows, store, reclaimer, unreferenced, ticks, engine.isShared());
    }

    /** Creates the service with the default duration of rehydrations. */
    public BlobService(
            Engine engine,
            ContentStore store,
            Catalogue catalogue,
            InstantSource clock,
            RandomGenerator random,
            Consumer<Throwable> failureListener) {
        this(engine, store, catalogue, clock, random, REHYDRATION, failureListener);
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

    /** Returns the number of reads that found a wrong checksum. */
    public long damagedReads() {
        return contents.damagedReads();
    }

    /** Keeps or deletes the contents of uploads that a crash has interrupted. Called once, at start. */
    public CompletionStage<Void> recover() {
        return store.resolve(reclaimer::isReferenced);
    }

    /** Returns the current time in ticks, which decides the state of leases. */
    public long now() {
        return versions.now();
    }

    /** Starts an upload of unknown size; see {@link #upload(BlobAddress, long)}. */
    public CompletionStage<Upload> upload(BlobAddress address) {
        return upload(address, 0);
    }

    /**
     * Starts an upload for a blob in an existing container. Fails if the disk has no room or the engine cannot
     * commit, before the client sends the bytes in vain.
     *
     * @param bytes the expected size
     */
    public CompletionStage<Upload> upload(BlobAddress address, long bytes) {
        return uploads.start(address, bytes);
    }

    /** Checks a finished upload. Deletes its content if the check throws {@link StorageException}. */
    public CompletionStage<StagedContent> checked(StagedContent staged, Consumer<StagedContent> check) {
        return uploads.checked(staged, check);
    }

    /** Fails if a new blob would be refused now, before the client sends its bytes in vain. */
    public CompletionStage<Void> check(BlobAddress address, BlobType type, NewBlob made) {
        return versions.inContainer(
                address, container -> versions.check(container, address.name().value(), type, made));
    }

    /** Finds a blob or a snapshot for a reader whose conditions hold. */
    public CompletionStage<Blob> find(BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        return opener.find(address, snapshot, guard);
    }

    /** A range of the bytes of a blob. */
    public record Range(long from, long length) {}

    /** A blob with a reader of the requested range. */
    public record Opened(Blob blob, Range range, BlobReader reader) {}

    /**
     * Opens a blob or a snapshot. The reader sees a snapshot of the content, whatever happens to the blob later.
     *
     * @param range returns the range to read; the stage fails with what it throws
     */
    public CompletionStage<Opened> open(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, Function<Blob, Range> range) {
        return opener.open(address, snapshot, guard, range);
    }

    public CompletionStage<Blob> setHeaders(BlobAddress address, AccessConditions guard, ContentHeaders headers) {
        return versions.inContainer(
                address,
                container ->
                        versions.modify(container, address.name().value(), guard, blob -> blob.withHeaders(headers)));
    }

    public CompletionStage<Blob> setMetadata(
            BlobAddress address, AccessConditions guard, Map<String, String> metadata) {
        return versions.inContainer(
                address,
                container ->
                        versions.modify(container, address.name().value(), guard, blob -> blob.withMetadata(metadata)));
    }

    /** Sets the tier of a blob or a snapshot. Keeps the ETag. From the archive tier, the change takes a while. */
    public CompletionStage<Blob> setTier(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, String tier, Tier.Priority priority) {
        String name = address.name().value();
        return versions.inContainer(
                address,
                container -> versions.change(container, name, snapshot, guard.conditions(), (blob, now) -> {
                    guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
                    StorageException.throwUnless(blob.type() == BlobType.BLOCK, StorageError.INVALID_BLOB_TYPE);
                    return blob.withTier(blob.tier().set(tier, priority, now, rehydrationTicks));
                }));
    }

    /** Replaces all tags. Keeps the ETag. */
    public CompletionStage<Blob> setTags(BlobAddress address, AccessConditions guard, Map<String, String> tags) {
        return versions.inContainer(
                address,
                container -> versions.change(container, address.name().value(), guard.conditions(), (blob, now) -> {
                    guard.checkWrite(blob, now, StorageError.CONDITION_NOT_MET);
                    return blob.withTags(BlobTags.of(tags));
                }));
    }

    /** A lease action, such as acquire or break. */
    public interface LeaseAction {
        Lease apply(Lease lease, long now);
    }

    /**
     * Applies an action to the lease of a blob.
     *
     * @param guard its lease is ignored, because the action checks the lease
     */
    public CompletionStage<Blob> lease(BlobAddress address, AccessConditions guard, LeaseAction action) {
        return versions.inContainer(
                address,
                container -> versions.change(container, address.name().value(), guard.conditions(), (blob, now) -> {
                    guard.checkConditions(blob);
                    return blob.withLease(action.apply(blob.lease(), now));
                }));
    }

    /**
     * Creates a snapshot of a blob.
     *
     * @param metadata of the snapshot; empty for that of the blob
     */
    public CompletionStage<Blob> snapshot(BlobAddress address, AccessConditions guard, Map<String, String> metadata) {
        String name = address.name().value();
        return versions.inContainer(
                address,
                container -> versions.retry()
                        .run("Creating a snapshot", () -> snapshotOnce(container, name, guard, metadata)));
    }

    /** Returns empty if the blob has changed since it was read. */
    private CompletionStage<Optional<Blob>> snapshotOnce(
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
            // Rewrites the blob unchanged: the new version makes concurrent replacements see that the snapshot
            // refers to
            // the content too.
            List<Write> writes = List.of(
                    BlobVersions.put(container, snapshot, Precondition.ABSENT),
                    BlobVersions.put(container, blob, Precondition.versionEquals(current.version())));
            return rows.commit(container, BlobRowCodec.partition(name), writes)
                    .thenApply(done -> done ? Optional.of(snapshot) : Optional.empty());
        });
    }

    /** What to do with the snapshots of a blob that is deleted. */
    public enum Snapshots {
        /** Fail if there are any. */
        REFUSE,
        /** Delete them with the blob. */
        INCLUDE,
        /** Delete them and keep the blob. */
        ONLY
    }

    public CompletionStage<Void> delete(BlobAddress address, AccessConditions guard, Snapshots snapshots) {
        return delete(address, guard, TierConditions.NONE, snapshots);
    }

    public CompletionStage<Void> delete(
            BlobAddress address, AccessConditions guard, TierConditions tierConditions, Snapshots snapshots) {
        return deletion.delete(address, guard, tierConditions, snapshots);
    }

    public CompletionStage<Void> deleteSnapshot(BlobAddress address, long snapshot, AccessConditions guard) {
        return deleteSnapshot(address, snapshot, guard, TierConditions.NONE);
    }

    public CompletionStage<Void> deleteSnapshot(
            BlobAddress address, long snapshot, AccessConditions guard, TierConditions tierConditions) {
        return deletion.deleteSnapshot(address, snapshot, guard, tierConditions);
    }
}
