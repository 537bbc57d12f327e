package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants to do, and what a signature must therefore hold: for an account SAS the resource type, for every
 * SAS the permissions as alternatives of letters that are all needed. An operation that only the account's owner may do
 * has no alternative. Those that begin with a service can also be granted by a SAS over one of its resources.
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
    CLEAR_MESSAGES('o', "d");

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

    /** Whether only a caller who holds the account key may do this. */
    boolean ownerOnly() {
        return permissions.isEmpty();
    }

    /** Whether a SAS over one table, or one queue, can open this. */
    boolean openToSasOf(Service service) {
        return resourceSas == service;
    }
}
