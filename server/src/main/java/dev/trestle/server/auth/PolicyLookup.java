package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.PublicAccess;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the stored access policies and public access levels of resources. */
@FunctionalInterface
public interface PolicyLookup {

    /**
     * Returns the current policies of a table, queue or container, or empty if it does not exist. Called only for
     * a SAS that refers to a policy.
     */
    CompletionStage<Optional<List<AccessPolicy>>> find(String account, String resourceName);

    /**
     * Returns the public access level of a container, which may not exist. Called only for reads without credentials.
     */
    default CompletionStage<PublicAccess> publicAccess(String account, String container) {
        return CompletableFuture.completedFuture(PublicAccess.NONE);
    }
}
