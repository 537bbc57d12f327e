package dev.trestle.server.auth;

import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.concurrent.CompletionStage;

/** Grants anonymous read access to public containers: "Configure anonymous read access for containers". */
final class AnonymousAccess {

    private AnonymousAccess() {}

    /**
     * Returns the grant after looking up the public access level of the container.
     *
     * @param refusal the error if access is denied; the same whether or not the container exists
     */
    static CompletionStage<Grant> grant(SignedRequest request, PolicyLookup policies, StorageError refusal) {
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        String container = BlobPath.of(request).container();
        if (!reads || container.isEmpty()) {
            throw new StorageException(refusal);
        }
        return policies.publicAccess(request.account(), container).thenApply(level -> {
            if (level == PublicAccess.NONE) {
                throw new StorageException(refusal);
            }
            return new AnonymousGrant(level, container, refusal);
        });
    }
}
