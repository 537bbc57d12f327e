package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants to do, and what a signature must therefore hold: for an account SAS the resource type, for every
 * SAS the permissions as alternatives of letters that are all needed. An operation that no SAS can grant has no
 * alternative. Those that begin with a service can also be granted by a SAS over one of its resources.
 */
public enum Operation {
    GET_SERVICE_PROPERTIES('s', "r"),
    SET_SERVICE_PROPERTIES('s', "w"),
    GET_SERVICE_STATS('s', "r"),
    QUERY_TABLES('c', "l"),
    CREATE_TABLE('c', "c", "w"),
    DELETE_TABLE('c', "d"),
    GET_TABLE_ACL('c'),
    SET_TABLE_ACL('c'),
    QUERY_ENTITIES(Service.TABLE, 'o', "r"),
    INSERT_ENTITY(Service.TABLE, 'o', "a"),
    UPSERT_ENTITY(Service.TABLE, 'o', "au"),
    UPDATE_ENTITY(Service.TABLE, 'o', "u"),
    DELETE_ENTITY(Service.TABLE, 'o', "d"),
    LIST_QUEUES('s', "l"),
    CREATE_QUEUE('c', "c", "w"),
    DELETE_QUEUE('c', "d"),
    GET_QUEUE_METADATA(Service.QUEUE, 'c', "r"),
    SET_QUEUE_METADATA('c', "w"),
    GET_QUEUE_ACL('c'),
    SET_QUEUE_ACL('c'),
    PUT_MESSAGE(Service.QUEUE, 'o', "a"),
    GET_MESSAGES(Service.QUEUE, 'o', "p"),
    PEEK_MESSAGES(Service.QUEUE, 'o', "r"),
    UPDATE_MESSAGE(Service.QUEUE, 'o', "u"),
    DELETE_MESSAGE(Service.QUEUE, 'o', "p"),
    CLEAR_MESSAGES('o', "d"),
    LIST_CONTAINERS('s', "l"),
    /** Any SAS opens this, whatever its permissions, as it does with the service. */
    GET_ACCOUNT_INFORMATION(Service.BLOB, 's', ""),
    /** Likewise, over a container for that container: each request in a batch is authorized by its own credentials. */
    BLOB_BATCH(Service.BLOB, 'c', ""),
    /** The one operation that not even the account key opens, but only a bearer token. */
    GET_USER_DELEGATION_KEY('s'),
    CREATE_CONTAINER('c', "c", "w"),
    DELETE_CONTAINER('c', "d"),
    GET_CONTAINER_PROPERTIES('c', "r"),
    SET_CONTAINER_METADATA('c', "w"),
    GET_CONTAINER_ACL('c'),
    SET_CONTAINER_ACL('c'),
    LEASE_CONTAINER('c', "w"),
    BREAK_CONTAINER_LEASE('c', "w", "d"),
    LIST_BLOBS(Service.BLOB, 'c', "l"),
    /** Asks a listing of blobs to tell their tags too. */
    LIST_BLOB_TAGS(Service.BLOB, 'c', "t"),
    FIND_BLOBS('o', "f"),
    FIND_BLOBS_IN_CONTAINER(Service.BLOB, 'c', "f"),
    /** Also to make something depend on the tags, and to copy them. */
    GET_BLOB_TAGS(Service.BLOB, 'o', "t"),
    SET_BLOB_TAGS(Service.BLOB, 'o', "t"),
    /** Also of its properties, metadata and block list, and as the source of a copy. */
    GET_BLOB(Service.BLOB, 'o', "r"),
    /**
     * Making one, at once, block by block, or as the destination of a copy; or a snapshot of one. See
     * {@link Grant#mayOverwrite}.
     */
    PUT_BLOB(Service.BLOB, 'o', "c", "w"),
    /** Changing one that is there in any other way: its properties, metadata, tier, seal or lease. */
    WRITE_BLOB(Service.BLOB, 'o', "w"),
    APPEND_BLOCK(Service.BLOB, 'o', "a", "w"),
    BREAK_BLOB_LEASE(Service.BLOB, 'o', "w", "d"),
    DELETE_BLOB(Service.BLOB, 'o', "d");

    private final @Nullable Service resourceSas;
    private final char resourceType;

    @SuppressWarnings("ImmutableEnumChecker") // The list is an immutable one, which its type does not say.
    private final List<String> permissions;

    Operation(char resourceType, String... permissions) {
        this(null, resourceType, permissions);
    }

    Operation(@Nullable Service resourceSas, char resourceType, String... permissions) {
        this.resourceSas = resourceSas;
        this.resourceType = resourceType;
        this.permissions = List.of(permissions);
    }

    char resourceType() {
        return resourceType;
    }

    /** The letters needed, for people to read. */
    String permissions() {
        return String.join(" or ", permissions);
    }

    /** Whether the letters granted are enough. */
    boolean allowedBy(String granted) {
        for (String alternative : permissions) {
            if (alternative.chars().allMatch(letter -> granted.indexOf(letter) >= 0)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no SAS can open this, whatever its permissions. */
    boolean closedToSas() {
        return permissions.isEmpty();
    }

    /** Whether every SAS that can open this does, whatever its permissions and resource types. */
    boolean openToAnySas() {
        return permissions.contains("");
    }

    /** Whether this is done to the service, rather than to anything in it. */
    boolean onService() {
        return resourceType == 's';
    }

    /** Whether this is done to what a container, a queue or a table holds, rather than to it or to the service. */
    boolean onObject() {
        return resourceType == 'o';
    }

    /** Whether a SAS over one table, one queue, or one container or blob can open this. */
    boolean openToSasOf(Service service) {
        return resourceSas == service;
    }
}
