package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where stored access policies are found; asked only for a signature that names one. */
@FunctionalInterface
public interface PolicyLookup {

    /** The policies of the table or the queue as they are now, or empty when there is none of this name. */
    CompletionStage<Optional<List<AccessPolicy>>> find(String account, String resourceName);
}
