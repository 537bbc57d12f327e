package dev.trestle.patterns.index;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.outbox.Follower;
import dev.trestle.patterns.outbox.MessageFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The index entities pattern, option 1: for each value that entities share, a blob lists the keys of the entities that have it,
 * without a limit on their number.
 *
 * <pre>{@code
 * IndexEntitiesInBlobs<Employee> byNameInBlobs =
 *         IndexEntitiesInBlobs.of(all, context.container("lists"), "lastname", Employee::lastName);
 * }</pre>
 *
 * <p>Promise: that of {@link IndexEntitiesElsewhere}: eventually consistent. A list without entries remains as an empty blob.
 */
public final class IndexEntitiesInBlobs<T> implements Follower<T> {
    private static final int NOT_FOUND = 404;
    private static final MessageFormat<EntityKey> KEYS = MessageFormat.entityKey();
    private static final MessageFormat<String> TEXT = MessageFormat.text();

    private final EntityTable<T> table;
    private final BlobContainerClient container;
    private final String name;
    private final Function<T, Optional<String>> value;

    private IndexEntitiesInBlobs(
            EntityTable<T> table, BlobContainerClient container, String name, Function<T, Optional<String>> value) {
        this.table = table;
        this.container = container;
        this.name = name;
        this.value = value;
    }

    /** Returns an index with its lists in a blob container, under the prefix {@code name/}. */
    public static <T> IndexEntitiesInBlobs<T> of(
            EntityTable<T> table, BlobContainerClient container, String name, Function<T, String> value) {
        return new IndexEntitiesInBlobs<>(table, container, name, entity -> Optional.of(value.apply(entity)));
    }

    /** A list with the ETag of its blob; no ETag if there is no blob. */
    private record KeyBlob(SortedSet<String> keys, Optional<String> etag) {}

    private BlobClient blob(String shared) {
        return container.getBlobClient(name + "/" + TEXT.write().apply(shared));
    }

    private KeyBlob read(String shared) {
        try {
            BlobDownloadContentResponse response =
                    blob(shared).downloadContentWithResponse(null, null, null, Context.NONE);
            String etag = response.getDeserializedHeaders().getETag();
            return new KeyBlob(KeyList.parse(response.getValue().toString()), Optional.of(etag));
        } catch (BlobStorageException e) {
            if (e.getStatusCode() != NOT_FOUND) {
                throw e;
            }
            return new KeyBlob(new TreeSet<>(), Optional.empty());
        }
    }

    /** Returns the listed keys of the entities with a value. */
    public List<EntityKey> keys(String shared) {
        return read(shared).keys().stream().map(KEYS.read()).toList();
    }

    /** Returns the entities with a value: one request for the list and one for each entity. */
    public List<Stored<T>> find(String shared) {
        return keys(shared).stream()
                .map(table::find)
                .flatMap(Optional::stream)
                .filter(found -> value.apply(found.value()).equals(Optional.of(shared)))
                .toList();
    }

    @Override
    public Set<String> places(T entity) {
        return value.apply(entity).map(Set::of).orElse(Set.of());
    }

    @Override
    public void settle(String shared, EntityKey key, Supplier<Optional<T>> current) {
        KeyBlob stored = read(shared);
        boolean belongs = current.get().flatMap(value).equals(Optional.of(shared));
        String text = KEYS.write().apply(key);
        if (belongs ? !stored.keys().add(text) : !stored.keys().remove(text)) {
            return;
        }
        BlobRequestConditions unchanged = new BlobRequestConditions();
        stored.etag().ifPresentOrElse(unchanged::setIfMatch, () -> unchanged.setIfNoneMatch("*"));
        BlobParallelUploadOptions upload =
                new BlobParallelUploadOptions(BinaryData.fromString(KeyList.lines(stored.keys())));
        blob(shared).uploadWithResponse(upload.setRequestConditions(unchanged), null, Context.NONE);
    }
}
