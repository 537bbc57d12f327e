package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Container;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Copies;
import dev.trestle.blob.Crc64;
import dev.trestle.blob.Guard;
import dev.trestle.blob.Lease;
import dev.trestle.blob.NewBlob;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what to blobs and containers: conditions, leases, snapshots, copies and deletions. */
public abstract class BlobGuardContract extends BlobContract {
    private static final int SEEDS = 6;
    private static final UUID MINE = new UUID(1, 1);
    private static final UUID THEIRS = new UUID(2, 2);
    private static final byte[] ONE = {1};

    protected BlobGuardContract(StoreOpener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    private Blob lease(String name, BlobService.LeaseAction action) {
        return await(blobs.lease(at(name), Conditions.NONE, action));
    }

    private static BlobService.LeaseAction acquire(UUID id, int seconds) {
        return (lease, now) -> lease.acquire(now, seconds, Optional.of(id), id);
    }

    private Container containerNow() {
        return await(blobs.containers().container(account, LOGS, Optional.empty()));
    }

    @Test
    void a_container_is_made_once_and_keeps_what_is_said_of_it() throws Exception {
        assertThat(errorOf(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE)))
                .isEqualTo(StorageError.CONTAINER_ALREADY_EXISTS);
        Container made = containerNow();
        Container named = await(blobs.containers().setMetadata(account, LOGS, Guard.NONE, Map.of("Owner", "hr")));
        assertThat(named.modified()).isGreaterThan(made.modified());
        AccessPolicy policy = new AccessPolicy("readers", OptionalLong.empty(), OptionalLong.empty(), Optional.of("r"));
        Container opened =
                await(blobs.containers().setAccess(account, LOGS, Guard.NONE, List.of(policy), PublicAccess.BLOB));
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
    void a_deleted_container_frees_its_name_and_what_was_in_it() {
        put("a", bytes(50_000));
        put("b", ONE);
        long before = container();
        eventually(() -> assertThat(contents(before)).hasSize(1));
        await(blobs.containers().delete(account, LOGS, Guard.NONE));
        assertThat(errorOf(blobs.find(at("a"), OptionalLong.empty(), Guard.NONE)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, Guard.NONE)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        await(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE));
        assertThat(findIfThere("b")).isEmpty();
        eventually(() -> assertThat(contents(before)).isEmpty());
        put("a", ONE);
        assertThat(read("a")).isEqualTo(ONE);
    }

    @Test
    void a_leased_container_is_deleted_by_the_holder_alone() {
        long modified = containerNow().modified();
        await(blobs.containers().lease(account, LOGS, Conditions.NONE, acquire(MINE, Lease.INFINITE)));
        assertThat(containerNow().modified()).isEqualTo(modified);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, Guard.NONE)))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, leased(THEIRS))))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_CONTAINER_OPERATION);
        put("a", ONE);
        await(blobs.containers().setMetadata(account, LOGS, Guard.NONE, Map.of()));
        await(blobs.containers().delete(account, LOGS, leased(MINE)));
    }

    @Test
    void every_change_of_a_blob_gives_it_another_etag_and_a_lease_or_a_tier_does_not() {
        List<String> tags = new ArrayList<>();
        tags.add(etag(put("a", ONE)));
        tags.add(etag(put("a", ONE)));
        tags.add(etag(await(blobs.setMetadata(at("a"), Guard.NONE, Map.of("a", "b")))));
        tags.add(etag(await(blobs.setHeaders(at("a"), Guard.NONE, ContentHeaders.NONE))));
        assertThat(tags).doesNotHaveDuplicates();
        assertThat(etag(await(blobs.setTier(at("a"), Guard.NONE, "Cool")))).isEqualTo(tags.get(3));
        assertThat(etag(lease("a", acquire(MINE, 15)))).isEqualTo(tags.get(3));
        assertThat(find("a").tier().name()).isEqualTo("Cool");
    }

    @Test
    void what_is_put_again_keeps_when_it_was_made_and_its_tier_and_loses_the_rest() {
        NewBlob rich = new NewBlob(
                new ContentHeaders("text/plain", "gzip", "de", "inline", "no-cache", "md5"),
                Map.of("a", "b"),
                Optional.of("Cool"),
                Guard.NONE,
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
        Guard any = new Guard(
                new Conditions(List.of(Conditions.ANY), List.of(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty());
        assertThat(readError("none", any)).isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), any));
        await(blobs.find(at("a"), OptionalLong.empty(), ifMatch(now)));
        await(blobs.find(at("a"), OptionalLong.empty(), ifNoneMatch(etag(old))));
    }

    @Test
    void whoever_wants_any_blob_is_told_that_the_condition_failed_where_there_is_none() {
        Guard any = new Guard(
                new Conditions(List.of(Conditions.ANY), List.of(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty());
        Guard other = ifMatch(put("a", ONE));
        assertThat(changesOfNothing(any)).containsOnly(StorageError.CONDITION_NOT_MET);
        assertThat(changesOfNothing(other)).containsOnly(StorageError.BLOB_NOT_FOUND);
        assertThat(changesOfNothing(Guard.NONE)).containsOnly(StorageError.BLOB_NOT_FOUND);
    }

    /** What everybody is told who would change a blob and finds none. */
    private List<StorageError> changesOfNothing(Guard guard) {
        BlobAddress none = at("none");
        AppendBlobs.Terms terms = new AppendBlobs.Terms(guard, OptionalLong.empty(), OptionalLong.empty());
        return List.of(
                errorOf(blobs.setMetadata(none, guard, Map.of())),
                errorOf(blobs.setHeaders(none, guard, ContentHeaders.NONE)),
                errorOf(blobs.setTier(none, guard, "Cool")),
                errorOf(blobs.lease(none, guard.conditions(), acquire(MINE, 15))),
                errorOf(blobs.snapshot(none, guard, Map.of())),
                errorOf(blobs.delete(none, guard, BlobService.Snapshots.REFUSE)),
                errorOf(blobs.deleteSnapshot(none, 1, guard)),
                errorOf(blobs.appends().check(none, terms, 1)),
                errorOf(blobs.appends().append(none, staged(none, ONE), terms)),
                errorOf(blobs.appends().seal(none, guard, OptionalLong.empty())),
                errorOf(blobs.blocks().list(none, OptionalLong.empty(), guard)));
    }

    @Test
    void a_lease_on_what_is_not_there_is_none() {
        assertThat(errorOf(blobs.blocks().checkBlock(at("none"), "AAAA", Optional.of(MINE))))
                .isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        assertThat(putError("none", leased(MINE))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
    }

    private StorageError readError(String name, Guard guard) {
        return errorOf(blobs.find(at(name), OptionalLong.empty(), guard));
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
    void a_leased_blob_is_written_by_the_holder_alone_and_read_by_all() {
        put("a", ONE);
        lease("a", acquire(MINE, 15));
        assertThat(putError("a", Guard.NONE)).isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(putError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        assertThat(errorOf(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.INCLUDE)))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(errorOf(blobs.blocks().putBlock(at("a"), "1", Optional.empty(), staged(at("a"), ONE))))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(read("a")).isEqualTo(ONE);
        assertThat(readError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        await(blobs.snapshot(at("a"), Guard.NONE, Map.of()));
        put(at("a"), ONE, guarded(leased(MINE)));
        assertThat(find("a").lease().id()).isEqualTo(MINE.toString());
        move(16);
        assertThat(putError("a", leased(MINE))).isEqualTo(StorageError.LEASE_LOST);
        assertThat(putError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        put("a", ONE);
        assertThat(errorOf(blobs.lease(at("a"), Conditions.NONE, (lease, now) -> lease.renew(now, MINE))))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        assertThat(putError("none", leased(MINE))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
    }

    @Test
    void a_lease_survives_a_restart() throws Exception {
        put("a", ONE);
        lease("a", acquire(MINE, 60));
        restart();
        assertThat(putError("a", Guard.NONE)).isEqualTo(StorageError.LEASE_ID_MISSING);
        move(60);
        put("a", ONE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void random_actions_on_a_lease_are_answered_as_its_table_says(long seed) {
        Gen.check(seed, gen -> {
            put("a", ONE);
            LeaseModel model = new LeaseModel();
            for (int i = 0; i < 200; i++) {
                step(gen, model);
            }
        });
    }

    private void step(Gen gen, LeaseModel model) {
        UUID id = gen.oneOf(List.of(MINE, THEIRS));
        UUID proposed = gen.oneOf(List.of(MINE, THEIRS));
        model.settle(clock.instant());
        int choice = gen.below(8);
        if (choice == 0) {
            int seconds = gen.chance(30) ? Lease.INFINITE : 15 + gen.below(46);
            same(model.acquire(clock.instant(), id, seconds), acquire(id, seconds));
        } else if (choice == 1) {
            same(model.renew(clock.instant(), id), (lease, now) -> lease.renew(now, id));
        } else if (choice == 2) {
            same(model.change(id, proposed), (lease, now) -> lease.change(now, id, proposed));
        } else if (choice == 3) {
            same(model.release(id), (lease, now) -> lease.release(id));
        } else if (choice == 4) {
            Optional<Integer> period = gen.chance(50) ? Optional.empty() : Optional.of(gen.below(61));
            same(model.breakOff(clock.instant(), period), (lease, now) -> lease.breakOff(now, period));
        } else if (choice == 5) {
            Optional<StorageError> expected = model.write(gen.chance(50) ? Optional.empty() : Optional.of(id));
            Optional<UUID> given = model.given;
            Guard guard = new Guard(Conditions.NONE, given);
            if (expected.isPresent()) {
                assertThat(putError("a", guard)).isEqualTo(expected.get());
            } else {
                put(at("a"), ONE, guarded(guard));
            }
        } else {
            move(gen.below(40));
        }
        model.settle(clock.instant());
        assertThat(find("a").lease().state(blobs.now()).word()).isEqualTo(model.state);
    }

    private void same(Optional<StorageError> expected, BlobService.LeaseAction action) {
        CompletionStage<Blob> answer = blobs.lease(at("a"), Conditions.NONE, action);
        if (expected.isPresent()) {
            assertThat(errorOf(answer)).isEqualTo(expected.get());
        } else {
            await(answer);
        }
    }

    /** The table of "Lease Blob", row by row, with the moments as the test moves the clock. */
    private static final class LeaseModel {
        private String state = "available";
        private UUID id = new UUID(0, 0);
        private int seconds;
        private Instant ends = Instant.MAX;
        private Optional<UUID> given = Optional.empty();

        void settle(Instant now) {
            if (state.equals("leased") && !now.isBefore(ends)) {
                state = "expired";
            } else if (state.equals("breaking") && !now.isBefore(ends)) {
                state = "broken";
            }
        }

        private Instant end(Instant now) {
            return seconds == Lease.INFINITE ? Instant.MAX : now.plusSeconds(seconds);
        }

        private static Optional<StorageError> refused(StorageError error) {
            return Optional.of(error);
        }

        Optional<StorageError> acquire(Instant now, UUID proposed, int wanted) {
            if (state.equals("leased") && !proposed.equals(id)) {
                return refused(StorageError.LEASE_ALREADY_PRESENT);
            }
            if (state.equals("breaking")) {
                return refused(
                        proposed.equals(id)
                                ? StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_ACQUIRED
                                : StorageError.LEASE_ALREADY_PRESENT);
            }
            state = "leased";
            id = proposed;
            seconds = wanted;
            ends = end(now);
            return Optional.empty();
        }

        Optional<StorageError> renew(Instant now, UUID its) {
            if (state.equals("available") || !its.equals(id)) {
                return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
            }
            if (state.equals("breaking") || state.equals("broken")) {
                return refused(StorageError.LEASE_IS_BROKEN_AND_CANNOT_BE_RENEWED);
            }
            state = "leased";
            ends = end(now);
            return Optional.empty();
        }

        Optional<StorageError> change(UUID its, UUID proposed) {
            if (!state.equals("leased") && !state.equals("breaking")) {
                return refused(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
            }
            if (!its.equals(id) && !proposed.equals(id)) {
                return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
            }
            if (state.equals("breaking")) {
                return refused(StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_CHANGED);
            }
            id = proposed;
            return Optional.empty();
        }

        Optional<StorageError> release(UUID its) {
            if (state.equals("available") || !its.equals(id)) {
                return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
            }
            state = "available";
            return Optional.empty();
        }

        Optional<StorageError> breakOff(Instant now, Optional<Integer> period) {
            Optional<Instant> asked = period.map(now::plusSeconds);
            switch (state) {
                case "available" -> {
                    return refused(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
                }
                case "leased" -> {
                    Instant rest = seconds == Lease.INFINITE ? asked.orElse(now) : ends;
                    ends = asked.filter(moment -> moment.isBefore(rest)).orElse(rest);
                    state = "breaking";
                }
                case "breaking" ->
                    ends = asked.filter(moment -> moment.isBefore(ends)).orElse(ends);
                default -> state = "broken";
            }
            return Optional.empty();
        }

        Optional<StorageError> write(Optional<UUID> its) {
            given = its;
            if (state.equals("leased") || state.equals("breaking")) {
                return its.isEmpty()
                        ? refused(StorageError.LEASE_ID_MISSING)
                        : its.get().equals(id)
                                ? Optional.empty()
                                : refused(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
            }
            if (its.isPresent()) {
                return refused(
                        state.equals("expired") && its.get().equals(id)
                                ? StorageError.LEASE_LOST
                                : StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
            }
            state = "available";
            return Optional.empty();
        }
    }

    @Test
    void a_snapshot_is_what_the_blob_was() {
        byte[] old = bytes(50_000);
        Blob base = put(
                at("a"), old, new NewBlob(ContentHeaders.NONE, Map.of("k", "v"), Optional.empty(), Guard.NONE, true));
        Blob taken = await(blobs.snapshot(at("a"), Guard.NONE, Map.of()));
        assertThat(taken.modified()).isEqualTo(base.modified());
        assertThat(taken.metadata()).isEqualTo(base.metadata());
        assertThat(etag(find("a"))).isEqualTo(etag(base));
        Blob renamed = await(blobs.snapshot(at("a"), Guard.NONE, Map.of("other", "one")));
        assertThat(renamed.metadata()).isEqualTo(Map.of("other", "one"));
        assertThat(renamed.snapshot().orElseThrow())
                .isGreaterThan(taken.snapshot().orElseThrow());
        put("a", bytes(60_000));
        awaitContents(2);
        assertThat(read(at("a"), taken.snapshot())).isEqualTo(old);
        await(blobs.deleteSnapshot(at("a"), renamed.snapshot().orElseThrow(), Guard.NONE));
        assertThat(read(at("a"), taken.snapshot())).isEqualTo(old);
        await(blobs.deleteSnapshot(at("a"), taken.snapshot().orElseThrow(), Guard.NONE));
        assertThat(errorOf(blobs.find(at("a"), taken.snapshot(), Guard.NONE))).isEqualTo(StorageError.BLOB_NOT_FOUND);
        awaitContents(1);
    }

    @Test
    void a_blob_with_snapshots_is_deleted_as_its_owner_says() {
        put("a", bytes(50_000));
        Blob taken = await(blobs.snapshot(at("a"), Guard.NONE, Map.of()));
        put("a", bytes(60_000));
        assertThat(errorOf(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE)))
                .isEqualTo(StorageError.SNAPSHOTS_PRESENT);
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.ONLY));
        assertThat(errorOf(blobs.find(at("a"), taken.snapshot(), Guard.NONE))).isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(read("a")).hasSize(60_000);
        for (int i = 0; i < 250; i++) {
            await(blobs.snapshot(at("a"), Guard.NONE, Map.of()));
        }
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.INCLUDE));
        assertThat(findIfThere("a")).isEmpty();
        awaitContents(0);
        put("a", ONE);
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE));
    }

    @Test
    void a_snapshot_of_an_append_blob_does_not_grow() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", ONE);
        Blob taken = await(blobs.snapshot(at("log"), Guard.NONE, Map.of()));
        byte[] more = bytes(50_000);
        append("log", more);
        assertThat(read(at("log"), taken.snapshot())).isEqualTo(ONE);
        await(blobs.copies().copy(source("log", taken.snapshot()), at("copy"), found -> plain()));
        append("copy", more);
        assertThat(read("copy")).isEqualTo(read("log"));
        assertThat(find("copy").appends()).isEqualTo(2);
    }

    private void putOfBlocks(String name, byte[] first, byte[] second) {
        putBlock(name, "1", first);
        putBlock(name, "2", second);
        await(blobs.blocks()
                .commit(
                        at(name),
                        List.of(
                                new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "1"),
                                new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "2")),
                        plain()));
    }

    private Copies.Source source(String name, OptionalLong snapshot) {
        return new Copies.Source(at(name), snapshot, Guard.NONE, "http://127.0.0.1/" + name);
    }

    @Test
    void a_snapshot_is_promoted_by_copying_it_over_the_blob() {
        byte[] old = bytes(50_000);
        put("a", old);
        Blob taken = await(blobs.snapshot(at("a"), Guard.NONE, Map.of()));
        put("a", ONE);
        Blob promoted = await(blobs.copies().copy(source("a", taken.snapshot()), at("a"), found -> plain()))
                .blob();
        assertThat(promoted.copy().orElseThrow().bytes()).isEqualTo(50_000);
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.ONLY));
        awaitContents(1);
        assertThat(read("a")).isEqualTo(old);
        assertThat(await(blobs.setMetadata(at("a"), Guard.NONE, Map.of())).copy())
                .isEmpty();
    }

    @Test
    void a_copy_in_another_container_outlives_its_source() throws Exception {
        await(blobs.containers().create(account, OTHERS, Map.of(), PublicAccess.NONE));
        byte[] large = bytes(50_000);
        putOfBlocks("a", large, ONE);
        byte[] whole = read("a");
        await(blobs.copies().copy(source("a", OptionalLong.empty()), in(OTHERS, "b"), found -> plain()));
        await(blobs.containers().delete(account, LOGS, Guard.NONE));
        assertThat(read(in(OTHERS, "b"), OptionalLong.empty())).isEqualTo(whole);
        assertThat(await(blobs.blocks().list(in(OTHERS, "b"), OptionalLong.empty(), Guard.NONE))
                        .committed())
                .extracting(Block::id)
                .containsExactly("1", "2");
        restart();
        assertThat(read(in(OTHERS, "b"), OptionalLong.empty())).isEqualTo(whole);
    }

    @Test
    void a_copy_holds_to_conditions_on_both_sides() {
        Blob old = put("a", ONE);
        put("a", ONE);
        Copies.Source stale = new Copies.Source(at("a"), OptionalLong.empty(), ifMatch(old), "http://127.0.0.1/a");
        assertThat(errorOf(blobs.copies().copy(stale, at("b"), found -> plain())))
                .isEqualTo(StorageError.SOURCE_CONDITION_NOT_MET);
        assertThat(errorOf(blobs.copies().copy(source("none", OptionalLong.empty()), at("b"), found -> plain())))
                .isEqualTo(StorageError.CANNOT_VERIFY_COPY_SOURCE);
        put("b", ONE);
        assertThat(errorOf(blobs.copies()
                        .copy(
                                source("a", OptionalLong.empty()),
                                at("b"),
                                found -> guarded(ifNoneMatch(Conditions.ANY)))))
                .isEqualTo(StorageError.BLOB_ALREADY_EXISTS);
        await(blobs.appends().create(at("log"), plain()));
        assertThat(errorOf(blobs.copies().copy(source("log", OptionalLong.empty()), at("b"), found -> plain())))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
    }

    @Test
    void a_copy_is_made_of_the_version_whose_checksum_was_told() throws Exception {
        byte[] large = bytes(300_000);
        putOfBlocks("a", large, ONE);
        byte[] whole = Arrays.copyOf(large, large.length + 1);
        whole[large.length] = 1;
        Copies.Summed summed = await(blobs.copies().sum(source("a", OptionalLong.empty())));
        assertThat(summed.md5()).isEqualTo(MessageDigest.getInstance("MD5").digest(whole));
        Crc64 crc64 = new Crc64();
        crc64.update(whole, 0, whole.length);
        assertThat(await(blobs.copies().copy(summed.source(), at("b"), found -> plain()))
                        .crc64())
                .isEqualTo(crc64.value());
        put("a", ONE);
        assertThat(errorOf(blobs.copies().copy(summed.source(), at("c"), found -> plain())))
                .isEqualTo(StorageError.SOURCE_CONDITION_NOT_MET);
    }

    @Test
    void a_copy_wants_the_lease_that_it_names_on_its_source() {
        put("a", ONE);
        lease("a", acquire(MINE, 15));
        await(blobs.copies().copy(leasedSource(MINE), at("b"), found -> plain()));
        assertThat(errorOf(blobs.copies().copy(leasedSource(THEIRS), at("c"), found -> plain())))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
    }

    @Test
    void what_is_made_slowly_wants_a_lease_without_end_on_what_it_replaces() {
        put("a", ONE);
        put("b", ONE);
        lease("b", acquire(MINE, 60));
        NewBlob slowly = new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), leased(MINE), true, true);
        Copies.Source source = source("a", OptionalLong.empty());
        assertThat(errorOf(blobs.copies().copy(source, at("b"), found -> slowly)))
                .isEqualTo(StorageError.INFINITE_LEASE_DURATION_REQUIRED);
        await(blobs.copies().copy(source, at("b"), found -> guarded(leased(MINE))));
        lease("b", acquire(MINE, Lease.INFINITE));
        await(blobs.copies().copy(source, at("b"), found -> slowly));
        lease("b", (lease, now) -> lease.release(MINE));
        await(blobs.copies()
                .copy(
                        source,
                        at("b"),
                        found -> new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), Guard.NONE, true, true)));
    }

    private Copies.Source leasedSource(UUID lease) {
        return new Copies.Source(at("a"), OptionalLong.empty(), leased(lease), "http://127.0.0.1/a");
    }

    @Test
    void times_in_conditions_are_whole_seconds() {
        Blob blob = put("a", ONE);
        long second = blob.modified() - blob.modified() % Ticks.PER_SECOND;
        Conditions since = new Conditions(List.of(), List.of(), OptionalLong.of(second), OptionalLong.empty());
        Conditions before = new Conditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.of(second));
        assertThat(readError("a", new Guard(since, Optional.empty()))).isEqualTo(StorageError.NOT_MODIFIED);
        assertThat(putError("a", new Guard(since, Optional.empty()))).isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), new Guard(before, Optional.empty())));
        clock.move(Duration.ofSeconds(2));
        put(at("a"), ONE, guarded(new Guard(before, Optional.empty())));
        assertThat(readError("a", new Guard(before, Optional.empty()))).isEqualTo(StorageError.CONDITION_NOT_MET);
        await(blobs.find(at("a"), OptionalLong.empty(), new Guard(since, Optional.empty())));
    }
}
