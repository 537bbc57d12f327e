package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;
import java.util.UUID;

/**
 * What has to hold for a request to go ahead.
 *
 * @param lease the id of the lease that the caller holds, if it says that it does
 * @param tags a condition on the tags of the blob, if there is one
 */
public record AccessConditions(Conditions conditions, Optional<UUID> lease, Optional<TagExpression> tags) {
    public static final AccessConditions NONE = new AccessConditions(Conditions.NONE, Optional.empty());

    /** Without a condition on tags. */
    public AccessConditions(Conditions conditions, Optional<UUID> lease) {
        this(conditions, lease, Optional.empty());
    }

    void checkRead(Blob blob, long now) {
        conditions.checkRead(blob.modified());
        checkTags(blob.tags());
        blob.lease().checkRead(now, lease, Lease.Codes.BLOB);
    }

    /** @param exists the answer to a writer who wants no blob to be there */
    void checkWrite(Blob blob, long now, StorageError exists) {
        conditions.checkChange(blob.modified());
        checkTags(blob.tags());
        blob.lease().checkWrite(now, lease, Lease.Codes.BLOB);
        // A writer that holds the lease knows that the blob is there, so the service lets it replace the blob.
        boolean knows = lease.isPresent() && exists == StorageError.BLOB_ALREADY_EXISTS;
        if (conditions.wantsAbsence() && !knows) {
            throw new StorageException(exists);
        }
    }

    /** The same guard of a writer who takes a blob that is there as well as none. */
    AccessConditions evenIfPresent() {
        return new AccessConditions(conditions.evenIfPresent(), lease, tags);
    }

    /** The conditions alone, for an operation that has its own rules for leases. */
    void checkConditions(Blob blob) {
        conditions.checkWrite(blob.modified(), StorageError.CONDITION_NOT_MET);
        checkTags(blob.tags());
    }

    private void checkTags(BlobTags found) {
        if (tags.isPresent() && !tags.get().matches(found.values())) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
    }

    /** The error for a reader of what is not there. No blob can satisfy a reader who wants none. */
    StorageException absentForReader() {
        return conditions.wantsAbsence()
                ? new StorageException(StorageError.UNSATISFIABLE_CONDITION)
                : conditions.absent();
    }

    StorageException absent() {
        return conditions.absent();
    }

    void checkAbsent() {
        conditions.checkAbsent();
        checkTags(BlobTags.NONE);
        if (lease.isPresent()) {
            throw new StorageException(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        }
    }
}
