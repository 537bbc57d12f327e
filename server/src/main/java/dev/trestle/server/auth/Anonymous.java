package dev.trestle.server.auth;

import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.concurrent.CompletionStage;

/** Lets in who shows no credentials, to see what is public: "Configure anonymous read access for containers". */
final class Anonymous {

    private Anonymous() {}

    /**
     * The grant, once it is known what the container shows.
     *
     * @param refusal the answer when it is not for everybody, which does not tell whether it is there
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
