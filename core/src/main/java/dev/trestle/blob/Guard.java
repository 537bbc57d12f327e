package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;
import java.util.UUID;

/**
 * What has to hold for a request to go ahead.
 *
 * @param lease the id of the lease that the caller holds, if it says that it does
 */
public record Guard(Conditions conditions, Optional<UUID> lease) {
    public static final Guard NONE = new Guard(Conditions.NONE, Optional.empty());

    void checkRead(Blob blob, long now) {
        conditions.checkRead(blob.modified());
        blob.lease().checkRead(now, lease, Lease.Codes.BLOB);
    }

    /** @param exists the answer to a writer who wants no blob to be there */
    void checkWrite(Blob blob, long now, StorageError exists) {
        conditions.checkChange(blob.modified());
        blob.lease().checkWrite(now, lease, Lease.Codes.BLOB);
        // A writer that holds the lease knows that the blob is there, so the service lets it replace the blob.
        boolean knows = lease.isPresent() && exists == StorageError.BLOB_ALREADY_EXISTS;
        if (conditions.wantsAbsence() && !knows) {
            throw new StorageException(exists);
        }
    }

    /** The same guard of a writer who takes a blob that is there as well as none. */
    Guard evenIfPresent() {
        return new Guard(conditions.evenIfPresent(), lease);
    }

    StorageException absent() {
        return conditions.absent();
    }

    void checkAbsent() {
        conditions.checkAbsent();
        if (lease.isPresent()) {
            throw new StorageException(StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        }
    }
}
