package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Container;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Copies;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.TierConditions;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Conditions of blobs, and cached containers. */
public abstract class BlobConditionContract extends BlobGuardContract {
    protected BlobConditionContract(StoreOpener opener) {
        super(opener);
    }

    @Test
    void a_container_is_made_once_and_keeps_what_is_said_of_it() throws Exception {
        assertThat(errorOf(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE)))
                .isEqualTo(StorageError.CONTAINER_ALREADY_EXISTS);
        Container made = containerNow();
        Container named =
                await(blobs.containers().setMetadata(account, LOGS, AccessConditions.NONE, Map.of("Owner", "hr")));
        assertThat(named.modified()).isGreaterThan(made.modified());
        AccessPolicy policy = new AccessPolicy("readers", OptionalLong.empty(), OptionalLong.empty(), Optional.of("r"));
        Container opened = await(
                blobs.containers().setAccess(account, LOGS, AccessConditions.NONE, List.of(policy), PublicAccess.BLOB));
        assertThat(opened.modified()).isGreaterThan(named.modified());
        put("a", ONE);
        restart();
        Container found = containerNow();
        assertThat(found).isEqualTo(opened);
        assertThat(found.metadata()).isEqualTo(Map.of("Owner", "hr"));
        assertThat(found.policies()).containsExactly(policy);
        assertThat(found.access()).isEqualTo(PublicAccess.BLOB);
    }

    @Test
    void however_many_change_one_blob_at_once_every_change_is_made() throws Exception {
        put("a", ONE);
        Set<Long> modified = ConcurrentHashMap.newKeySet();
        List<Callable<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            Map<String, String> metadata = Map.of("writer", Integer.toString(i));
            writers.add(() -> {
                Blob changed = await(blobs.setMetadata(at("a"), AccessConditions.NONE, metadata));
                assertThat(changed.metadata()).isEqualTo(metadata);
                modified.add(changed.modified());
                return null;
            });
        }
        together(writers);
        assertThat(modified).as("each change has an ETag of its own").hasSize(64);
        assertThat(modified).contains(find("a").modified());
    }

    @Test
    void a_condition_of_the_client_that_does_not_hold_is_checked_once() {
        put("a", ONE);
        AccessConditions stale = new AccessConditions(
                new Conditions(List.of("\"0x1\""), List.of(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty());
        find("a");
        int reads = faulty.calls(FaultyEngine.Call.READ);
        int commits = faulty.calls(FaultyEngine.Call.COMMIT);
        assertThat(errorOf(blobs.setMetadata(at("a"), stale, Map.of()))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(faulty.calls(FaultyEngine.Call.READ)).isEqualTo(reads + 1);
        assertThat(faulty.calls(FaultyEngine.Call.COMMIT)).isEqualTo(commits);
    }

    @Test
    void a_deleted_container_frees_its_name_and_what_was_in_it() {
        put("a", bytes(50_000));
        put("b", ONE);
        long before = container();
        eventually(() -> assertThat(contents(before)).hasSize(1));
        await(blobs.containers().delete(account, LOGS, AccessConditions.NONE));
        assertThat(errorOf(blobs.find(at("a"), OptionalLong.empty(), AccessConditions.NONE)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, AccessConditions.NONE)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        await(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE));
        assertThat(findIfThere("b")).isEmpty();
        eventually(() -> assertThat(contents(before)).isEmpty());
        put("a", ONE);
        assertThat(read("a")).isEqualTo(ONE);
    }

    @Test
    void every_change_of_a_blob_gives_it_another_etag_and_a_lease_or_a_tier_does_not() {
        List<String> tags = new ArrayList<>();
        tags.add(etag(put("a", ONE)));
        tags.add(etag(put("a", ONE)));
        tags.add(etag(await(blobs.setMetadata(at("a"), AccessConditions.NONE, Map.of("a", "b")))));
        tags.add(etag(await(blobs.setHeaders(at("a"), AccessConditions.NONE, ContentHeaders.NONE))));
        assertThat(tags).doesNotHaveDuplicates();
        assertThat(etag(await(setTier("a", AccessConditions.NONE, "Cool")))).isEqualTo(tags.get(3));
        assertThat(etag(lease("a", acquire(MINE, 15)))).isEqualTo(tags.get(3));
        assertThat(find("a").tier().name()).isEqualTo("Cool");
    }

    @Test
    void what_is_put_again_keeps_when_it_was_made_and_its_tier_and_loses_the_rest() {
        NewBlob rich = new NewBlob(
                new ContentHeaders("text/plain", "gzip", "de", "inline", "no-cache", "md5"),
                Map.of("a", "b"),
                Optional.of("Cool"),
                AccessConditions.NONE,
                true);
        Blob first = put(at("a"), ONE, rich);
        assertThat(find("a")).isEqualTo(first);
        move(5);
        Blob second = put("a", ONE);
        assertThat(second.created()).isEqualTo(first.created());
        assertThat(second.modified()).isGreaterThan(first.modified());
        assertThat(second.tier().name()).isEqualTo("Cool");
        assertThat(second.headers()).isEqualTo(ContentHeaders.NONE);
        assertThat(second.metadata()).isEmpty();
    }

    @Test
    void a_writer_with_a_condition_that_does_not_hold_is_refused() {
        Blob old = put("a", ONE);
        Blob now = put("a", ONE);
        assertThat(putError("a", ifMatch(old))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(putError("a", ifNoneMatch(etag(now)))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(putError("a", ifNoneMatch(Conditions.ANY))).isEqualTo(StorageError.BLOB_ALREADY_EXISTS);
        assertThat(putError("none", ifMatch(old))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(errorOf(blobs.setMetadata(at("a"), ifMatch(old), Map.of())))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(errorOf(blobs.setMetadata(at("a"), ifNoneMatch(Conditions.ANY), Map.of())))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(errorOf(blobs.delete(at("a"), ifMatch(old), BlobService.Snapshots.REFUSE)))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(errorOf(blobs.snapshot(at("a"), ifMatch(old), Map.of()))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(errorOf(blobs.blocks().commit(at("a"), List.of(), guarded(ifMatch(old)))))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(find("a")).isEqualTo(now);
        put(at("a"), ONE, guarded(ifMatch(now)));
        put(at("b"), ONE, guarded(ifNoneMatch(Conditions.ANY)));
        put(at("c"), ONE, guarded(ifNoneMatch(etag(now))));
    }

    @Test
    void the_lease_is_checked_before_whether_a_blob_is_there_and_proves_that_the_writer_knows_of_it() {
        AccessConditions absentAndMine =
                new AccessConditions(ifNoneMatch(Conditions.ANY).conditions(), Optional.of(MINE));
        AccessConditions absentAndTheirs =
                new AccessConditions(ifNoneMatch(Conditions.ANY).conditions(), Optional.of(THEIRS));
        put("a", ONE);
        assertThat(putError("a", absentAndMine)).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        lease("a", acquire(MINE, 15));
        assertThat(putError("a", ifNoneMatch(Conditions.ANY))).isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(putError("a", absentAndTheirs)).isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        put(at("a"), text("mine"), guarded(absentAndMine));
        assertThat(read("a")).isEqualTo(text("mine"));
        commit("b", List.of());
        lease("b", acquire(MINE, 15));
        await(blobs.blocks().commit(at("b"), List.of(), guarded(absentAndMine)));
        assertThat(errorOf(blobs.setMetadata(at("a"), absentAndMine, Map.of())))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        move(16);
        assertThat(putError("a", absentAndMine)).isEqualTo(StorageError.LEASE_LOST);
        assertThat(putError("a", ifNoneMatch(Conditions.ANY))).isEqualTo(StorageError.BLOB_ALREADY_EXISTS);
    }

    @Test
    void a_blob_is_deleted_only_if_its_tier_was_set_when_the_caller_expects() {
        put("a", ONE);
        move(60);
        Blob cool = await(setTier("a", AccessConditions.NONE, "Cool"));
        long set = cool.tier().changed() - cool.tier().changed() % Ticks.PER_SECOND;
        move(60);
        TierConditions later = new TierConditions(OptionalLong.of(set), OptionalLong.empty());
        TierConditions earlier = new TierConditions(OptionalLong.empty(), OptionalLong.of(set - Ticks.PER_SECOND));
        for (TierConditions failing : List.of(later, earlier)) {
            assertThat(errorOf(blobs.delete(at("a"), AccessConditions.NONE, failing, BlobService.Snapshots.INCLUDE)))
                    .isEqualTo(StorageError.CONDITION_NOT_MET);
        }
        assertThat(find("a")).isEqualTo(cool);
        Blob snapshot = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        assertThat(errorOf(
                        blobs.deleteSnapshot(at("a"), snapshot.snapshot().orElseThrow(), AccessConditions.NONE, later)))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        TierConditions holding = new TierConditions(OptionalLong.of(set - Ticks.PER_SECOND), OptionalLong.of(set));
        await(blobs.deleteSnapshot(at("a"), snapshot.snapshot().orElseThrow(), AccessConditions.NONE, holding));
        await(blobs.delete(at("a"), AccessConditions.NONE, holding, BlobService.Snapshots.REFUSE));
        Blob unset = put("b", ONE);
        long made = unset.created() - unset.created() % Ticks.PER_SECOND;
        TierConditions sinceMade = new TierConditions(OptionalLong.of(made), OptionalLong.empty());
        assertThat(errorOf(blobs.delete(at("b"), AccessConditions.NONE, sinceMade, BlobService.Snapshots.REFUSE)))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
    }

    @Test
    void a_blob_in_the_archive_is_shown_and_deleted_and_nothing_else() throws Exception {
        put("a", text("kept"));
        await(setTier("a", AccessConditions.NONE, "Archive"));
        restart();
        assertThat(find("a").tier().name()).isEqualTo("Archive");
        assertThat(List.of(
                        putError("a", AccessConditions.NONE),
                        readAllError("a"),
                        errorOf(blobs.setMetadata(at("a"), AccessConditions.NONE, Map.of())),
                        errorOf(blobs.setHeaders(at("a"), AccessConditions.NONE, ContentHeaders.NONE)),
                        errorOf(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of())),
                        errorOf(blobs.blocks().list(at("a"), OptionalLong.empty(), AccessConditions.NONE)),
                        errorOf(blobs.blocks().putBlock(at("a"), "1", Optional.empty(), staged(at("a"), ONE))),
                        commitError("a", List.of())))
                .containsOnly(StorageError.BLOB_ARCHIVED);
        await(setTier("a", AccessConditions.NONE, "Hot"));
        restart();
        assertThat(readAllError("a")).isEqualTo(StorageError.BLOB_BEING_REHYDRATED);
        move(BlobService.REHYDRATION.toSeconds());
        assertThat(read("a")).isEqualTo(text("kept"));
        await(setTier("a", AccessConditions.NONE, "Archive"));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
    }

    private StorageError readAllError(String name) {
        return errorOf(blobs.open(
                at(name),
                OptionalLong.empty(),
                AccessConditions.NONE,
                blob -> new BlobService.Range(0, blob.length())));
    }

    @Test
    void a_copy_of_an_archived_blob_leaves_the_archive() {
        put("a", text("kept"));
        await(setTier("a", AccessConditions.NONE, "Archive"));
        Copies.Source source =
                new Copies.Source(at("a"), OptionalLong.empty(), AccessConditions.NONE, "http://h/a/logs/a");
        Blob copy =
                await(blobs.copies().copy(source, at("b"), found -> plain())).blob();
        assertThat(copy.tier().rehydration().orElseThrow().tier()).isEqualTo("Hot");
        move(BlobService.REHYDRATION.toSeconds());
        assertThat(read("b")).isEqualTo(text("kept"));
        assertThat(readAllError("a")).isEqualTo(StorageError.BLOB_ARCHIVED);
    }

    @Test
    void a_refused_writer_leaves_nothing_in_the_store() {
        Blob old = put("a", ONE);
        put("a", ONE);
        BlobAddress address = at("a");
        assertThat(errorOf(blobs.blocks().put(address, guarded(ifMatch(old)), staged(address, bytes(50_000)))))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        put("b", bytes(50_000));
        awaitContents(1);
    }

    @Test
    void a_reader_is_told_when_the_blob_is_not_what_it_wants() {
        Blob old = put("a", ONE);
        Blob now = put("a", ONE);
        assertThat(readError("a", ifMatch(old))).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(readError("a", ifNoneMatch(etag(now)))).isEqualTo(StorageError.NOT_MODIFIED);
        assertThat(readError("a", ifNoneMatch(Conditions.ANY))).isEqualTo(StorageError.UNSATISFIABLE_CONDITION);
        assertThat(readError("none", ifNoneMatch(etag(now)))).isEqualTo(StorageError.BLOB_NOT_FOUND);
        AccessConditions any = ifMatch(Conditions.ANY);
        assertThat(readError("none", any)).isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), any));
        await(blobs.find(at("a"), OptionalLong.empty(), ifMatch(now)));
        await(blobs.find(at("a"), OptionalLong.empty(), ifNoneMatch(etag(old))));
    }

    @Test
    void whoever_wants_any_blob_is_told_that_the_condition_failed_where_there_is_none() {
        AccessConditions any = ifMatch(Conditions.ANY);
        AccessConditions other = ifMatch(put("a", ONE));
        assertThat(changesOfNothing(any)).containsOnly(StorageError.CONDITION_NOT_MET);
        assertThat(changesOfNothing(other)).containsOnly(StorageError.BLOB_NOT_FOUND);
        assertThat(changesOfNothing(AccessConditions.NONE)).containsOnly(StorageError.BLOB_NOT_FOUND);
    }

    /** The error of every change of a missing blob. */
    private List<StorageError> changesOfNothing(AccessConditions guard) {
        BlobAddress none = at("none");
        AppendBlobs.Terms terms = new AppendBlobs.Terms(guard, OptionalLong.empty(), OptionalLong.empty());
        return List.of(
                errorOf(blobs.setMetadata(none, guard, Map.of())),
                errorOf(blobs.setHeaders(none, guard, ContentHeaders.NONE)),
                errorOf(setTier("none", guard, "Cool")),
                errorOf(blobs.lease(none, guard, acquire(MINE, 15))),
                errorOf(blobs.snapshot(none, guard, Map.of())),
                errorOf(blobs.delete(none, guard, BlobService.Snapshots.REFUSE)),
                errorOf(blobs.deleteSnapshot(none, 1, guard)),
                errorOf(blobs.appends().check(none, terms, 1)),
                errorOf(blobs.appends().append(none, staged(none, ONE), terms)),
                errorOf(blobs.appends().seal(none, guard, OptionalLong.empty())),
                errorOf(blobs.blocks().list(none, OptionalLong.empty(), guard)));
    }

    @Test
    void of_many_writers_that_saw_the_same_blob_one_wins() throws Exception {
        int writers = 6;
        put("a", ONE);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            for (int round = 0; round < 15; round++) {
                Blob seen = find("a");
                AtomicInteger wins = new AtomicInteger();
                List<Future<Void>> all = new ArrayList<>();
                for (int i = 0; i < writers; i++) {
                    int kind = i % 3;
                    all.add(threads.submit((Callable<Void>) () -> {
                        CompletionStage<Blob> write = kind == 0
                                ? blobs.setMetadata(at("a"), ifMatch(seen), Map.of("a", "b"))
                                : kind == 1
                                        ? blobs.blocks().commit(at("a"), List.of(), guarded(ifMatch(seen)))
                                        : blobs.blocks()
                                                .put(at("a"), guarded(ifMatch(seen)), staged(at("a"), bytes(40_000)));
                        Optional<Throwable> failure =
                                await(write.handle((blob, thrown) -> Optional.ofNullable(thrown)));
                        if (failure.isEmpty()) {
                            wins.incrementAndGet();
                        } else {
                            assertThat(errorOf(write)).isEqualTo(StorageError.CONDITION_NOT_MET);
                        }
                        return null;
                    }));
                }
                for (Future<Void> each : all) {
                    each.get(60, TimeUnit.SECONDS);
                }
                assertThat(wins).hasValue(1);
            }
        } finally {
            threads.shutdownNow();
        }
        awaitContents(find("a").length() > INLINE_MAX ? 1 : 0);
    }

    @Test
    void times_in_conditions_are_whole_seconds() {
        Blob blob = put("a", ONE);
        long second = blob.modified() - blob.modified() % Ticks.PER_SECOND;
        Conditions since = new Conditions(List.of(), List.of(), OptionalLong.of(second), OptionalLong.empty());
        Conditions before = new Conditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.of(second));
        assertThat(readError("a", new AccessConditions(since, Optional.empty())))
                .isEqualTo(StorageError.NOT_MODIFIED);
        assertThat(putError("a", new AccessConditions(since, Optional.empty())))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), new AccessConditions(before, Optional.empty())));
        clock.move(Duration.ofSeconds(2));
        put(at("a"), ONE, guarded(new AccessConditions(before, Optional.empty())));
        assertThat(readError("a", new AccessConditions(before, Optional.empty())))
                .isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), new AccessConditions(since, Optional.empty())));
    }
}
