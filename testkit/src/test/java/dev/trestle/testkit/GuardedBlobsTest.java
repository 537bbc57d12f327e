package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Container;
import dev.trestle.blob.Lease;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Every operation with a condition or a lease respects it, independently of the engine. */
class GuardedBlobsTest extends BlobGuardContract {
    GuardedBlobsTest() {
        super(new ModelBlobContractTest());
    }

    private static BlobService.LeaseAction acquire(UUID id) {
        return acquire(id, Lease.INFINITE);
    }

    private CompletionStage<?> append(AccessConditions guard) {
        AppendBlobs.Terms terms = new AppendBlobs.Terms(guard, OptionalLong.empty(), OptionalLong.empty());
        return blobs.appends().append(at("log"), staged(at("log"), ONE), terms);
    }

    private CompletionStage<?> seal(AccessConditions guard) {
        return blobs.appends().seal(at("log"), guard, OptionalLong.empty());
    }

    private CompletionStage<?> setContainerMetadata(AccessConditions guard) {
        return blobs.containers().setMetadata(account, LOGS, guard, Map.of("a", "b"));
    }

    private CompletionStage<?> setContainerAccess(AccessConditions guard) {
        return blobs.containers().setAccess(account, LOGS, guard, List.of(), PublicAccess.BLOB);
    }

    private static void assertAll(StorageError error, List<CompletionStage<?>> calls) {
        assertThat(calls).allSatisfy(call -> assertThat(errorOf(call)).isEqualTo(error));
    }

    @Test
    void a_blob_that_is_not_what_was_wanted_stays_as_it_is() {
        AccessConditions stale = ifMatch(put("a", ONE));
        Blob now = put("a", ONE);
        Blob log = await(blobs.appends().create(at("log"), plain()));
        long snapshot = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()))
                .snapshot()
                .orElseThrow();
        assertAll(
                StorageError.CONDITION_NOT_MET,
                List.of(
                        setTier("a", stale, "Cool"),
                        blobs.lease(at("a"), stale, acquire(MINE)),
                        blobs.deleteSnapshot(at("a"), snapshot, stale),
                        blobs.blocks().list(at("a"), OptionalLong.empty(), stale),
                        append(stale),
                        seal(stale)));
        assertThat(find("a")).isEqualTo(now);
        assertThat(find("log")).isEqualTo(log);
        await(blobs.deleteSnapshot(at("a"), snapshot, ifMatch(now)));
    }

    @Test
    void a_leased_blob_is_not_changed_in_any_way_without_the_lease() {
        put("a", ONE);
        await(blobs.appends().create(at("log"), plain()));
        lease("a", acquire(MINE));
        lease("log", acquire(MINE));
        assertAll(
                StorageError.LEASE_ID_MISSING,
                List.of(
                        setTier("a", AccessConditions.NONE, "Cool"),
                        append(AccessConditions.NONE),
                        seal(AccessConditions.NONE)));
        assertAll(
                StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION,
                List.of(
                        blobs.snapshot(at("a"), leased(THEIRS), Map.of()),
                        blobs.blocks().list(at("a"), OptionalLong.empty(), leased(THEIRS))));
        await(append(leased(MINE)));
        await(seal(leased(MINE)));
    }

    @Test
    void blocks_without_a_blob_are_not_deleted_by_who_expects_one() {
        putBlock("a", "b1", ONE);
        AccessConditions some = ifMatch(put("other", ONE));
        assertAll(StorageError.CONDITION_NOT_MET, List.of(blobs.delete(at("a"), some, BlobService.Snapshots.INCLUDE)));
        assertAll(
                StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION,
                List.of(blobs.delete(at("a"), leased(MINE), BlobService.Snapshots.INCLUDE)));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.INCLUDE));
    }

    @Test
    void a_container_that_is_not_what_was_wanted_stays_as_it_is() {
        Container old = containerNow();
        await(setContainerMetadata(AccessConditions.NONE));
        Container now = containerNow();
        AccessConditions stale = ifMatch(BlobETag.format(old.modified()));
        assertAll(
                StorageError.CONDITION_NOT_MET,
                List.of(
                        blobs.containers().delete(account, LOGS, stale),
                        setContainerMetadata(stale),
                        setContainerAccess(stale),
                        blobs.containers().lease(account, LOGS, stale.conditions(), acquire(MINE))));
        await(blobs.containers().lease(account, LOGS, Conditions.NONE, acquire(MINE)));
        assertAll(
                StorageError.LEASE_ID_MISMATCH_WITH_CONTAINER_OPERATION,
                List.of(
                        blobs.containers().container(account, LOGS, Optional.of(THEIRS)),
                        setContainerMetadata(leased(THEIRS)),
                        setContainerAccess(leased(THEIRS))));
        Container found = await(blobs.containers().container(account, LOGS, Optional.of(MINE)));
        assertThat(found.modified()).isEqualTo(now.modified());
    }
}
