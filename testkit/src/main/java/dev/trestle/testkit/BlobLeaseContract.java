package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Lease;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases of blobs and containers, and the operations that they restrict. */
public abstract class BlobLeaseContract extends BlobGuardContract {
    private static final int SEEDS = 6;

    protected BlobLeaseContract(StoreOpener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    @Test
    void a_leased_container_is_deleted_by_the_holder_alone() {
        long modified = containerNow().modified();
        await(blobs.containers().lease(account, LOGS, Conditions.NONE, acquire(MINE, Lease.INFINITE)));
        assertThat(containerNow().modified()).isEqualTo(modified);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, AccessConditions.NONE)))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(errorOf(blobs.containers().delete(account, LOGS, leased(THEIRS))))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_CONTAINER_OPERATION);
        put("a", ONE);
        await(blobs.containers().setMetadata(account, LOGS, AccessConditions.NONE, Map.of()));
        await(blobs.containers().delete(account, LOGS, leased(MINE)));
    }

    @Test
    void a_lease_on_what_is_not_there_is_none() {
        assertThat(errorOf(blobs.blocks().checkBlock(at("none"), "AAAA", Optional.of(MINE))))
                .isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        assertThat(putError("none", leased(MINE))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
    }

    @Test
    void a_leased_blob_is_written_by_the_holder_alone_and_read_by_all() {
        put("a", ONE);
        lease("a", acquire(MINE, 15));
        assertThat(putError("a", AccessConditions.NONE)).isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(putError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        assertThat(errorOf(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.INCLUDE)))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(errorOf(blobs.blocks().putBlock(at("a"), "1", Optional.empty(), staged(at("a"), ONE))))
                .isEqualTo(StorageError.LEASE_ID_MISSING);
        assertThat(read("a")).isEqualTo(ONE);
        assertThat(readError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        put(at("a"), ONE, guarded(leased(MINE)));
        assertThat(find("a").lease().id()).isEqualTo(MINE.toString());
        move(16);
        assertThat(putError("a", leased(MINE))).isEqualTo(StorageError.LEASE_LOST);
        assertThat(putError("a", leased(THEIRS))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        put("a", ONE);
        assertThat(errorOf(blobs.lease(at("a"), AccessConditions.NONE, (lease, now) -> lease.renew(now, MINE))))
                .isEqualTo(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        assertThat(putError("none", leased(MINE))).isEqualTo(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
    }

    @Test
    void a_lease_survives_a_restart() throws Exception {
        put("a", ONE);
        lease("a", acquire(MINE, 60));
        restart();
        assertThat(putError("a", AccessConditions.NONE)).isEqualTo(StorageError.LEASE_ID_MISSING);
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
            Optional<UUID> given = gen.chance(50) ? Optional.empty() : Optional.of(id);
            Optional<StorageError> expected = model.write(given);
            AccessConditions guard = new AccessConditions(Conditions.NONE, given);
            if (expected.isPresent()) {
                assertThat(putError("a", guard)).isEqualTo(expected.get());
            } else {
                put(at("a"), ONE, guarded(guard));
            }
        } else {
            move(gen.below(40));
        }
        model.settle(clock.instant());
        assertThat(find("a").lease().state(blobs.now()).word()).isEqualTo(model.state());
    }

    private void same(Optional<StorageError> expected, BlobService.LeaseAction action) {
        CompletionStage<Blob> answer = blobs.lease(at("a"), AccessConditions.NONE, action);
        if (expected.isPresent()) {
            assertThat(errorOf(answer)).isEqualTo(expected.get());
        } else {
            await(answer);
        }
    }
}
