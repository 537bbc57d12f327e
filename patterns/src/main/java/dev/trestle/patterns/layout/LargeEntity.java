package dev.trestle.patterns.layout;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.outbox.MessageFormat;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The large entities pattern: a value too large for an entity, such as an employee's photo, is stored as a blob, and a property of
 * the entity has its address.
 *
 * <pre>{@code
 * LargeEntity<Pictured> employees = LargeEntity.of(table, container, Pictured::photo, Pictured::withPhoto);
 * employees.put(new Pictured("Sales", 223, ""), oldPhoto);
 * }</pre>
 *
 * <p>Promise: an entity never refers to a missing blob, and an entity and its content are always read as they were written
 * together. The blob is written first, under a unique name, then the entity; finally the previous blob is deleted. A crash in
 * between leaves an orphaned blob, which {@link #collectOrphans} deletes. This holds if all writers of the address use this
 * class.
 */
public final class LargeEntity<T> {
    private static final int NOT_FOUND = 404;
    private static final int READS_MAX = 20;
    private static final MessageFormat<EntityKey> KEYS = MessageFormat.entityKey();

    private final EntityTable<T> table;
    private final BlobContainerClient container;
    private final Function<T, String> address;
    private final BiFunction<T, String, T> withAddress;

    /** An entity with the content of its blob. */
    public record Whole<T>(Stored<T> entity, BinaryData content) {}

    private LargeEntity(
            EntityTable<T> table,
            BlobContainerClient container,
            Function<T, String> address,
            BiFunction<T, String, T> withAddress) {
        this.table = table;
        this.container = container;
        this.address = address;
        this.withAddress = withAddress;
    }

    /**
     * Returns a table of entities with blobs in a container that is used for nothing else.
     *
     * @param address returns the address in an entity, empty for none
     * @param withAddress returns an entity with another address
     */
    public static <T> LargeEntity<T> of(
            EntityTable<T> table,
            BlobContainerClient container,
            Function<T, String> address,
            BiFunction<T, String, T> withAddress) {
        return new LargeEntity<>(table, container, address, withAddress);
    }

    /** Inserts or replaces an entity with its content, unconditionally. */
    public void put(T value, BinaryData content) {
        EntityKey key = table.mapping().key(value);
        String name = KEYS.write().apply(key) + "/" + UUID.randomUUID();
        container.getBlobClient(name).upload(content, false);
        Optional<String> before = ConflictRetry.standard().call(() -> {
            Optional<Stored<T>> current = table.find(key);
            T addressed = withAddress.apply(value, name);
            if (current.isPresent()) {
                table.replace(current.get().with(addressed));
            } else {
                table.insert(addressed);
            }
            return current.map(stored -> address.apply(stored.value()));
        });
        before.ifPresent(this::deleteBlob);
    }

    /** Deletes an entity, then its blob. Succeeds if there is none. */
    public void delete(EntityKey key) {
        Optional<String> before = ConflictRetry.standard().call(() -> {
            Optional<Stored<T>> current = table.find(key);
            current.ifPresent(table::delete);
            return current.map(stored -> address.apply(stored.value()));
        });
        before.ifPresent(this::deleteBlob);
    }

    private void deleteBlob(String name) {
        if (!name.isEmpty()) {
            container.getBlobClient(name).deleteIfExists();
        }
    }

    /** Reads an entity and its content: two requests, or more under concurrent writes. */
    public Optional<Whole<T>> find(EntityKey key) {
        for (int attempt = 0; attempt < READS_MAX; attempt++) {
            Optional<Stored<T>> entity = table.find(key);
            if (entity.isEmpty()) {
                return Optional.empty();
            }
            String name = address.apply(entity.get().value());
            try {
                BinaryData content = name.isEmpty()
                        ? BinaryData.fromBytes(new byte[0])
                        : container.getBlobClient(name).downloadContent();
                return Optional.of(new Whole<>(entity.get(), content));
            } catch (BlobStorageException e) {
                if (e.getStatusCode() != NOT_FOUND) {
                    throw e;
                }
                // Replaced since the entity was read, which has a new address by now.
            }
        }
        throw new IllegalStateException("The blob of " + key + " is missing");
    }

    /**
     * Deletes the blobs that no entity refers to.
     *
     * @param madeBefore skips blobs created later, whose entities may not be written yet: choose a time longer ago than any write
     *     takes
     * @return the number of deleted blobs
     */
    public int collectOrphans(Instant madeBefore) {
        int collected = 0;
        for (BlobItem blob : container.listBlobs()) {
            if (blob.getProperties().getLastModified().toInstant().isBefore(madeBefore) && isOrphan(blob.getName())) {
                deleteBlob(blob.getName());
                collected++;
            }
        }
        return collected;
    }

    private boolean isOrphan(String name) {
        EntityKey key = KEYS.read().apply(name.substring(0, name.indexOf('/')));
        return table.find(key)
                .map(stored -> !address.apply(stored.value()).equals(name))
                .orElse(true);
    }
}
