package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import java.util.Optional;

/** The grant of a table SAS: that of a service SAS, optionally limited to a key range. */
record TableSasGrant(ServiceSasGrant table, KeyBounds bounds) implements Grant {

    @Override
    public void check(Permission permission, Optional<String> requested) {
        table.check(permission, requested);
    }

    @Override
    public Filter scope() {
        return bounds.filter();
    }

    @Override
    public void checkKey(EntityKey key) {
        if (!bounds.contains(key)) {
            throw table.refusals()
                    .refuse(
                            StorageError.AUTHORIZATION_FAILURE,
                            "The entity's keys are outside the range of spk, srk, epk and erk.");
        }
    }
}
