package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.PublicAccess;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where it is found what resources themselves say about who may. */
@FunctionalInterface
public interface PolicyLookup {

    /**
     * The policies of the table, the queue or the container as they are now, or empty when there is none of this name.
     * Asked only for a signature that names a policy.
     */
    CompletionStage<Optional<List<AccessPolicy>>> find(String account, String resourceName);

    /** What anybody may see of the container, which may not exist. Asked only for a read without credentials. */
    default CompletionStage<PublicAccess> publicAccess(String account, String container) {
        return CompletableFuture.completedFuture(PublicAccess.NONE);
    }
}
