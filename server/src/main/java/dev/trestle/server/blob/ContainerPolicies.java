package dev.trestle.server.blob;

import dev.trestle.blob.Container;
import dev.trestle.blob.Containers;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.server.auth.PolicyLookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Looks up stored access policies and public access levels of containers. */
public final class ContainerPolicies implements PolicyLookup {
    private final Containers containers;

    public ContainerPolicies(Containers containers) {
        this.containers = containers;
    }

    @Override
    public CompletionStage<Optional<List<AccessPolicy>>> find(String account, String container) {
        return containers
                .find(account, new ContainerName(container))
                .thenApply(found -> found.map(Container::policies));
    }

    @Override
    public CompletionStage<PublicAccess> publicAccess(String account, String container) {
        return containers
                .find(account, new ContainerName(container))
                .thenApply(found -> found.map(Container::access).orElse(PublicAccess.NONE));
    }
}
