package dev.trestle.server.auth;

import java.util.List;

/**
 * What a request wants to do, and what an account SAS must therefore hold: the resource type, and the permissions as
 * alternatives of letters that are all needed. An operation that only the account's owner may do has no alternative.
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
    QUERY_ENTITIES('o', "r"),
    INSERT_ENTITY('o', "a"),
    UPSERT_ENTITY('o', "au"),
    UPDATE_ENTITY('o', "u"),
    DELETE_ENTITY('o', "d");

    private final char resourceType;

    @SuppressWarnings("ImmutableEnumChecker") // The list is an immutable one, which its type does not say.
    private final List<String> permissions;

    Operation(char resourceType, String... permissions) {
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

    /** Whether this concerns entities within a table, which is all a table SAS can open. */
    boolean onEntities() {
        return resourceType == 'o';
    }
}
