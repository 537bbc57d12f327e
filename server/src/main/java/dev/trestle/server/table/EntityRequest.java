package dev.trestle.server.table;

import dev.trestle.engine.Precondition;
import dev.trestle.model.ETag;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.table.json.EntityReader;
import dev.trestle.table.EntityWrite;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request on one entity, alone or in a batch, with the same meaning in both cases.
 *
 * @param headers returns a header by its name in lower case
 */
record EntityRequest(
        String account,
        String verb,
        ResourcePath path,
        Function<String, Optional<String>> headers,
        byte[] body,
        int bodyOffset,
        int bodyLength) {

    boolean hasIfMatch() {
        return header("if-match").isPresent();
    }

    private Optional<String> header(String name) {
        return headers.apply(name);
    }

    Prefer prefer() {
        return Prefer.of(header("prefer"));
    }

    /**
     * Converts the request to a write.
     *
     * @param reachStore called after the request was parsed, before its values are checked
     */
    EntityWrite toWrite(Runnable reachStore) {
        if (header("if-none-match").isPresent()) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        if (verb.equals("POST")) {
            return toInsert(reachStore);
        }
        EntityKey key = path.entityKey(account);
        Optional<Precondition> condition = header("if-match").map(EntityRequest::condition);
        if (verb.equals("DELETE")) {
            reachStore.run();
            return EntityWrite.delete(
                    key, condition.orElseThrow(() -> new StorageException(StorageError.MISSING_REQUIRED_HEADER)));
        }
        QueryOptions.checkJsonBody(header("content-type"));
        EntityReader entity = EntityReader.read(body, bodyOffset, bodyLength);
        reachStore.run();
        byte[] row = entity.row();
        boolean replaces = verb.equals("PUT");
        if (condition.isEmpty()) {
            return replaces ? EntityWrite.insertOrReplace(key, row) : EntityWrite.insertOrMerge(key, row);
        }
        return replaces ? EntityWrite.replace(key, row, condition.get()) : EntityWrite.merge(key, row, condition.get());
    }

    private EntityWrite toInsert(Runnable reachStore) {
        if (path.predicate().isPresent() && !(path.predicate().get() instanceof ResourcePath.NoKeys)) {
            throw new StorageException(StorageError.METHOD_NOT_ALLOWED);
        }
        QueryOptions.checkJsonBody(header("content-type"));
        EntityReader entity = EntityReader.read(body, bodyOffset, bodyLength);
        reachStore.run();
        Optional<String> partitionKey = entity.partitionKey();
        Optional<String> rowKey = entity.rowKey();
        if (partitionKey.isEmpty() || rowKey.isEmpty()) {
            throw new StorageException(StorageError.PROPERTIES_NEED_VALUE);
        }
        return EntityWrite.insert(new EntityKey(partitionKey.get(), rowKey.get()), entity.row());
    }

    private static Precondition condition(String ifMatch) {
        String tag = ifMatch.strip();
        return tag.equals("*") ? Precondition.PRESENT : Precondition.versionEquals(ETag.parse(tag));
    }
}
