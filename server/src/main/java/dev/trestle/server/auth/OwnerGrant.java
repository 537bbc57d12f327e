package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.TableName;
import java.util.Optional;

/** The grant of whoever holds an account key: everything. */
record OwnerGrant() implements Grant {
    static final OwnerGrant INSTANCE = new OwnerGrant();

    @Override
    public void check(Operation operation, Optional<TableName> table) {}

    @Override
    public Filter scope() {
        return Filter.ALL;
    }

    @Override
    public void checkKey(EntityKey key) {}
}
