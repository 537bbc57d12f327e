package dev.trestle.testkit;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Container;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The fixture of the contracts of conditions and leases. */
public abstract class BlobGuardContract extends BlobContract {
    protected static final UUID MINE = new UUID(1, 1);
    protected static final UUID THEIRS = new UUID(2, 2);

    protected BlobGuardContract(StoreOpener opener) {
        super(opener);
    }

    protected final Blob lease(String name, BlobService.LeaseAction action) {
        return await(blobs.lease(at(name), AccessConditions.NONE, action));
    }

    protected static BlobService.LeaseAction acquire(UUID id, int seconds) {
        return (lease, now) -> lease.acquire(now, seconds, Optional.of(id), id);
    }

    protected static AccessConditions leased(UUID id) {
        return new AccessConditions(Conditions.NONE, Optional.of(id));
    }

    protected static AccessConditions ifMatch(Blob blob) {
        return ifMatch(etag(blob));
    }

    protected static AccessConditions ifMatch(String tag) {
        return new AccessConditions(
                new Conditions(List.of(tag), List.of(), OptionalLong.empty(), OptionalLong.empty()), Optional.empty());
    }

    protected static AccessConditions ifNoneMatch(String tag) {
        return new AccessConditions(
                new Conditions(List.of(), List.of(tag), OptionalLong.empty(), OptionalLong.empty()), Optional.empty());
    }

    protected static String etag(Blob blob) {
        return BlobETag.format(blob.modified());
    }

    protected final StorageError readError(String name, AccessConditions guard) {
        return errorOf(blobs.find(at(name), OptionalLong.empty(), guard));
    }

    protected final Container containerNow() {
        return await(blobs.containers().container(account, LOGS, Optional.empty()));
    }
}
