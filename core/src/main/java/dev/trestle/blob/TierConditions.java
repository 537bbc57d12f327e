package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.OptionalLong;

/**
 * What a caller wants to hold of the time at which a blob's access tier was set, before it deletes the blob.
 *
 * @param ifModifiedSince in ticks
 * @param ifUnmodifiedSince in ticks
 */
public record TierConditions(OptionalLong ifModifiedSince, OptionalLong ifUnmodifiedSince) {
    public static final TierConditions NONE = new TierConditions(OptionalLong.empty(), OptionalLong.empty());

    /** Refuses a blob whose tier was set too early or too late. A tier that nobody set is as old as the blob. */
    void check(Blob blob, long now) {
        Tier tier = blob.tier().at(now);
        long changed = tier.changed() == 0 ? blob.created() : tier.changed();
        long seconds = Conditions.seconds(changed);
        boolean holds = (ifModifiedSince.isEmpty() || seconds > ifModifiedSince.getAsLong())
                && (ifUnmodifiedSince.isEmpty() || seconds <= ifUnmodifiedSince.getAsLong());
        if (!holds) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
    }
}
