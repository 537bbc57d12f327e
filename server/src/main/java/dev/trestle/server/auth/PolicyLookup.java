package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.TableName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where stored access policies are found; asked only for a signature that names one. */
@FunctionalInterface
public interface PolicyLookup {

    /** The table's policies as they are now, or empty when there is no such table. */
    CompletionStage<Optional<List<AccessPolicy>>> find(String account, TableName table);
}
