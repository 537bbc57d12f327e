package dev.trestle.server.http;

import dev.trestle.server.auth.Operation;

/** The operations of the Table service by the names they have in its documentation, as shown to people who watch. */
public enum OperationName {
    CREATE_TABLE("CreateTable"),
    DELETE_ENTITY("DeleteEntity"),
    DELETE_TABLE("DeleteTable"),
    ENTITY_GROUP_TRANSACTION("EntityGroupTransaction"),
    GET_ENTITY("GetEntity"),
    GET_METADATA("GetMetadata"),
    GET_SERVICE_DOCUMENT("GetServiceDocument"),
    GET_SERVICE_PROPERTIES("GetServiceProperties"),
    GET_SERVICE_STATS("GetServiceStats"),
    GET_TABLE("GetTable"),
    GET_TABLE_ACL("GetTableAcl"),
    INSERT_ENTITY("InsertEntity"),
    INSERT_OR_MERGE_ENTITY("InsertOrMergeEntity"),
    INSERT_OR_REPLACE_ENTITY("InsertOrReplaceEntity"),
    MERGE_ENTITY("MergeEntity"),
    PREFLIGHT("PreflightRequest"),
    QUERY_ENTITIES("QueryEntities"),
    QUERY_TABLES("QueryTables"),
    SET_SERVICE_PROPERTIES("SetServiceProperties"),
    SET_TABLE_ACL("SetTableAcl"),
    /** Refused before it was clear what it is for. */
    UNKNOWN("Unknown"),
    UPDATE_ENTITY("UpdateEntity");

    private final String word;

    OperationName(String word) {
        this.word = word;
    }

    /** The operation on entities that is allowed as {@code operation} and asked for with {@code verb}. */
    static OperationName onEntities(Operation operation, String verb, boolean many) {
        boolean replaces = verb.equals("PUT");
        return switch (operation) {
            case QUERY_ENTITIES -> many ? QUERY_ENTITIES : GET_ENTITY;
            case INSERT_ENTITY -> INSERT_ENTITY;
            case UPSERT_ENTITY -> replaces ? INSERT_OR_REPLACE_ENTITY : INSERT_OR_MERGE_ENTITY;
            case UPDATE_ENTITY -> replaces ? UPDATE_ENTITY : MERGE_ENTITY;
            case DELETE_ENTITY -> DELETE_ENTITY;
            default -> throw new IllegalArgumentException("not on entities: " + operation);
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
