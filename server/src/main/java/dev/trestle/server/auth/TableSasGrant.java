package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.model.TableName;
import java.util.Optional;

/** The grant of a table SAS: some operations on the entities of one table, perhaps only within a range of keys. */
record TableSasGrant(TableName table, String permissions, KeyBounds bounds, Refusals refusals) implements Grant {

    @Override
    public void check(Operation operation, Optional<TableName> requested) {
        if (!operation.onEntities()) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE,
                    operation + " is not about entities, and a table SAS grants nothing else.");
        }
        if (requested.isEmpty() || !requested.get().folded().equals(table.folded())) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE, "The SAS is for the table named by tn, and for no other.");
        }
        if (!operation.allowedBy(permissions)) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_PERMISSION_MISMATCH,
                    operation + " needs sp to have " + operation.permissions() + ".");
        }
    }

    @Override
    public Filter scope() {
        return bounds.filter();
    }

    @Override
    public void checkKey(EntityKey key) {
        if (!bounds.contains(key)) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE,
                    "The entity's keys are outside the range of spk, srk, epk and erk.");
        }
    }
}
