package dev.trestle.blob;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.model.ContainerName;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The containers of all accounts. A lease on a container prevents its deletion and nothing else. */
public final class Containers {
    private final Catalogue catalogue;
    private final MonotonicTicks ticks;

    Containers(Catalogue catalogue, MonotonicTicks ticks) {
        this.catalogue = catalogue;
        this.ticks = ticks;
    }

    public CompletionStage<Container> create(
            String account, ContainerName name, Map<String, String> metadata, PublicAccess access) {
        return translateFailures(catalogue
                .create(account, name.value(), metadata, Container.attributes(ticks.next(), access, Lease.NONE))
                .thenApply(created -> Container.of(
                        created.orElseThrow(() -> new StorageException(StorageError.CONTAINER_ALREADY_EXISTS)))));
    }

    /** Deletes a container with its blobs. The name is free when the stage completes. */
    public CompletionStage<Void> delete(String account, ContainerName name, AccessConditions guard) {
        return translateFailures(catalogue
                .deleteIf(account, name.value(), collection -> {
                    Container container = Container.of(collection);
                    guard.conditions().checkWrite(container.modified(), StorageError.CONDITION_NOT_MET);
                    container.lease().checkWrite(ticks.next(), guard.lease(), Lease.Codes.CONTAINER);
                })
                .thenAccept(Containers::require));
    }

    public CompletionStage<Optional<Container>> find(String account, ContainerName name) {
        return translateFailures(catalogue.find(account, name.value()).thenApply(found -> found.map(Container::of)));
    }

    /** Returns the container, or fails if it does not exist or a given lease id is not the current one. */
    public CompletionStage<Container> container(String account, ContainerName name, Optional<UUID> lease) {
        return find(account, name).thenApply(found -> {
            Container container = found.orElseThrow(() -> new StorageException(StorageError.CONTAINER_NOT_FOUND));
            container.lease().checkRead(ticks.next(), lease, Lease.Codes.CONTAINER);
            return container;
        });
    }

    public CompletionStage<Container> setMetadata(
            String account, ContainerName name, AccessConditions guard, Map<String, String> metadata) {
        return modify(
                account,
                name,
                guard,
                container -> new Container(
                        container.name(),
                        container.modified(),
                        metadata,
                        container.policies(),
                        container.access(),
                        container.lease()));
    }

    public CompletionStage<Container> setAccess(
            String account,
            ContainerName name,
            AccessConditions guard,
            List<AccessPolicy> policies,
            PublicAccess access) {
        return modify(
                account,
                name,
                guard,
                container -> new Container(
                        container.name(),
                        container.modified(),
                        container.metadata(),
                        policies,
                        access,
                        container.lease()));
    }

    private CompletionStage<Container> modify(
            String account, ContainerName name, AccessConditions guard, UnaryOperator<Container> change) {
        return update(account, name, container -> {
            guard.conditions().checkWrite(container.modified(), StorageError.CONDITION_NOT_MET);
            container.lease().checkRead(ticks.next(), guard.lease(), Lease.Codes.CONTAINER);
            Container changed = change.apply(container);
            return new Container(
                    changed.name(),
                    BlobETag.next(ticks.next(), container.modified()),
                    changed.metadata(),
                    changed.policies(),
                    changed.access(),
                    changed.lease());
        });
    }

    public CompletionStage<Container> lease(
            String account, ContainerName name, Conditions conditions, BlobService.LeaseAction action) {
        return update(account, name, container -> {
            conditions.checkWrite(container.modified(), StorageError.CONDITION_NOT_MET);
            return new Container(
                    container.name(),
                    container.modified(),
                    container.metadata(),
                    container.policies(),
                    container.access(),
                    action.apply(container.lease(), ticks.next()));
        });
    }

    private CompletionStage<Container> update(String account, ContainerName name, UnaryOperator<Container> change) {
        AtomicReference<Container> made = new AtomicReference<>();
        return translateFailures(catalogue
                .update(account, name.value(), collection -> {
                    Container changed = change.apply(Container.of(collection));
                    made.set(changed);
                    return with(collection, changed);
                })
                .thenApply(found -> {
                    require(found);
                    return made.get();
                }));
    }

    private static CatalogueEntry with(CatalogueEntry collection, Container changed) {
        return collection
                .withMetadata(changed.metadata())
                .withPolicies(changed.policies())
                .withAttributes(Container.attributes(changed.modified(), changed.access(), changed.lease()));
    }

    private static void require(boolean found) {
        StorageException.throwUnless(found, StorageError.CONTAINER_NOT_FOUND);
    }

    /** Lists containers in the order of their names. */
    public CompletionStage<Page<Container, String>> list(
            String account, String prefix, int max, Optional<String> from) {
        return translateFailures(
                catalogue.list(account, prefix, max, from.orElse("")).thenApply(page -> page.map(Container::of)));
    }
}
