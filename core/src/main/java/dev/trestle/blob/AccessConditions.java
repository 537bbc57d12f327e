package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;
import java.util.UUID;

/**
 * The preconditions of a request.
 *
 * @param lease the lease id in the request
 * @param tags the condition on the tags of the blob
 */
public record AccessConditions(Conditions conditions, Optional<UUID> lease, Optional<TagExpression> tags) {
    public static final AccessConditions NONE = new AccessConditions(Conditions.NONE, Optional.empty());

    /** Creates preconditions without a condition on tags. */
    public AccessConditions(Conditions conditions, Optional<UUID> lease) {
        this(conditions, lease, Optional.empty());
    }

    void checkRead(Blob blob, long now) {
        conditions.checkRead(blob.modified());
        checkTags(blob.tags());
        blob.lease().checkRead(now, lease, Lease.Codes.BLOB);
    }

    /** @param exists the error if the writer requires that the blob does not exist */
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

    /** Returns these preconditions without the one that the blob does not exist. */
    AccessConditions evenIfPresent() {
        return new AccessConditions(conditions.evenIfPresent(), lease, tags);
    }

    /** Checks everything but the lease, for an operation that has its own rules for leases. */
    void checkConditions(Blob blob) {
        conditions.checkWrite(blob.modified(), StorageError.CONDITION_NOT_MET);
        checkTags(blob.tags());
    }

    private void checkTags(BlobTags found) {
        if (tags.isPresent() && !tags.get().matches(found.values())) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
    }

    /**
     * Returns the error for a reader of a missing blob. No blob satisfies a reader who requires that there is
     * none.
     */
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
