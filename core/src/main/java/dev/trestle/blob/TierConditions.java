package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.OptionalLong;

/**
 * The preconditions of a deletion on the time at which the access tier of the blob was set.
 *
 * @param ifModifiedSince in ticks
 * @param ifUnmodifiedSince in ticks
 */
public record TierConditions(OptionalLong ifModifiedSince, OptionalLong ifUnmodifiedSince) {
    public static final TierConditions NONE = new TierConditions(OptionalLong.empty(), OptionalLong.empty());

    /** Fails if the conditions do not hold. A tier that was never set counts from the creation of the blob. */
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
