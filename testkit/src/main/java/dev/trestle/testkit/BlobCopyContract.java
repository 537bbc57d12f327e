package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Block;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Copies;
import dev.trestle.blob.Crc64;
import dev.trestle.blob.Lease;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.Tier;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Snapshots and copies: their content, their lifetime, and when they are refused. */
public abstract class BlobCopyContract extends BlobGuardContract {
    protected BlobCopyContract(StoreOpener opener) {
        super(opener);
    }

    @Test
    void a_snapshot_is_what_the_blob_was() {
        byte[] old = bytes(50_000);
        Blob base = put(
                at("a"),
                old,
                new NewBlob(ContentHeaders.NONE, Map.of("k", "v"), Optional.empty(), AccessConditions.NONE, true));
        Blob taken = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        assertThat(taken.modified()).isEqualTo(base.modified());
        assertThat(taken.metadata()).isEqualTo(base.metadata());
        assertThat(etag(find("a"))).isEqualTo(etag(base));
        Blob renamed = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of("other", "one")));
        assertThat(renamed.metadata()).isEqualTo(Map.of("other", "one"));
        assertThat(renamed.snapshot().orElseThrow())
                .isGreaterThan(taken.snapshot().orElseThrow());
        put("a", bytes(60_000));
        awaitContents(2);
        assertThat(read(at("a"), taken.snapshot())).isEqualTo(old);
        await(blobs.deleteSnapshot(at("a"), renamed.snapshot().orElseThrow(), AccessConditions.NONE));
        assertThat(read(at("a"), taken.snapshot())).isEqualTo(old);
        await(blobs.deleteSnapshot(at("a"), taken.snapshot().orElseThrow(), AccessConditions.NONE));
        assertThat(errorOf(blobs.find(at("a"), taken.snapshot(), AccessConditions.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        awaitContents(1);
    }

    @Test
    void a_blob_with_snapshots_is_deleted_as_its_owner_says() {
        put("a", bytes(50_000));
        Blob taken = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        put("a", bytes(60_000));
        assertThat(errorOf(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE)))
                .isEqualTo(StorageError.SNAPSHOTS_PRESENT);
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.ONLY));
        assertThat(errorOf(blobs.find(at("a"), taken.snapshot(), AccessConditions.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(read("a")).hasSize(60_000);
        for (int i = 0; i < 250; i++) {
            await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        }
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.INCLUDE));
        assertThat(findIfThere("a")).isEmpty();
        awaitContents(0);
        put("a", ONE);
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
    }

    @Test
    void a_snapshot_of_an_append_blob_does_not_grow() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", ONE);
        Blob taken = await(blobs.snapshot(at("log"), AccessConditions.NONE, Map.of()));
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
        commit(name, latest("1", "2"));
    }

    private Copies.Source source(String name, OptionalLong snapshot) {
        return new Copies.Source(at(name), snapshot, AccessConditions.NONE, "http://127.0.0.1/" + name);
    }

    @Test
    void a_snapshot_is_promoted_by_copying_it_over_the_blob() {
        byte[] old = bytes(50_000);
        put("a", old);
        Blob taken = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        put("a", ONE);
        Blob promoted = await(blobs.copies().copy(source("a", taken.snapshot()), at("a"), found -> plain()))
                .blob();
        assertThat(promoted.copy().orElseThrow().bytes()).isEqualTo(50_000);
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.ONLY));
        awaitContents(1);
        assertThat(read("a")).isEqualTo(old);
        assertThat(await(blobs.setMetadata(at("a"), AccessConditions.NONE, Map.of()))
                        .copy())
                .isEmpty();
    }

    @Test
    void a_copy_in_another_container_outlives_its_source() throws Exception {
        await(blobs.containers().create(account, OTHERS, Map.of(), PublicAccess.NONE));
        byte[] large = bytes(50_000);
        putOfBlocks("a", large, ONE);
        byte[] whole = read("a");
        await(blobs.copies().copy(source("a", OptionalLong.empty()), in(OTHERS, "b"), found -> plain()));
        await(blobs.containers().delete(account, LOGS, AccessConditions.NONE));
        assertThat(read(in(OTHERS, "b"), OptionalLong.empty())).isEqualTo(whole);
        assertThat(await(blobs.blocks().list(in(OTHERS, "b"), OptionalLong.empty(), AccessConditions.NONE))
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
        NewBlob slowly = new NewBlob(
                ContentHeaders.NONE, Map.of(), Optional.empty(), leased(MINE), true, true, Tier.Priority.STANDARD);
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
                        found -> new NewBlob(
                                ContentHeaders.NONE,
                                Map.of(),
                                Optional.empty(),
                                AccessConditions.NONE,
                                true,
                                true,
                                Tier.Priority.STANDARD)));
    }

    private Copies.Source leasedSource(UUID lease) {
        return new Copies.Source(at("a"), OptionalLong.empty(), leased(lease), "http://127.0.0.1/a");
    }
}
