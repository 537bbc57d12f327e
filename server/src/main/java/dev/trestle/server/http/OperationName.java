package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.server.auth.Operation;
import org.jspecify.annotations.Nullable;

/** The operations of the services by the names they have in their documentation, as shown to people who watch. */
public enum OperationName {
    ABORT_COPY_BLOB(Service.BLOB, "AbortCopyBlob"),
    APPEND_BLOB_SEAL(Service.BLOB, "AppendBlobSeal"),
    APPEND_BLOCK(Service.BLOB, "AppendBlock"),
    APPEND_BLOCK_FROM_URL(Service.BLOB, "AppendBlockFromURL"),
    BLOB_BATCH(Service.BLOB, "BlobBatch"),
    CLEAR_MESSAGES(Service.QUEUE, "ClearMessages"),
    COPY_BLOB(Service.BLOB, "CopyBlob"),
    COPY_BLOB_FROM_URL(Service.BLOB, "CopyBlobFromURL"),
    CREATE_CONTAINER(Service.BLOB, "CreateContainer"),
    CREATE_QUEUE(Service.QUEUE, "CreateQueue"),
    CREATE_TABLE(Service.TABLE, "CreateTable"),
    DELETE_BLOB(Service.BLOB, "DeleteBlob"),
    DELETE_CONTAINER(Service.BLOB, "DeleteContainer"),
    DELETE_ENTITY(Service.TABLE, "DeleteEntity"),
    DELETE_MESSAGE(Service.QUEUE, "DeleteMessage"),
    DELETE_QUEUE(Service.QUEUE, "DeleteQueue"),
    DELETE_TABLE(Service.TABLE, "DeleteTable"),
    ENTITY_GROUP_TRANSACTION(Service.TABLE, "EntityGroupTransaction"),
    FIND_BLOBS_BY_TAGS(Service.BLOB, "FindBlobsByTags"),
    GET_ACCOUNT_INFORMATION(Service.BLOB, "GetAccountInformation"),
    GET_BLOB(Service.BLOB, "GetBlob"),
    GET_BLOB_METADATA(Service.BLOB, "GetBlobMetadata"),
    GET_BLOB_PROPERTIES(Service.BLOB, "GetBlobProperties"),
    GET_BLOB_TAGS(Service.BLOB, "GetBlobTags"),
    GET_BLOCK_LIST(Service.BLOB, "GetBlockList"),
    GET_CONTAINER_ACL(Service.BLOB, "GetContainerACL"),
    GET_CONTAINER_METADATA(Service.BLOB, "GetContainerMetadata"),
    GET_CONTAINER_PROPERTIES(Service.BLOB, "GetContainerProperties"),
    GET_ENTITY(Service.TABLE, "GetEntity"),
    GET_MESSAGES(Service.QUEUE, "GetMessages"),
    GET_METADATA(Service.TABLE, "GetMetadata"),
    GET_QUEUE_ACL(Service.QUEUE, "GetQueueAcl"),
    GET_QUEUE_METADATA(Service.QUEUE, "GetQueueMetadata"),
    GET_SERVICE_DOCUMENT(Service.TABLE, "GetServiceDocument"),
    GET_SERVICE_PROPERTIES("GetServiceProperties"),
    GET_SERVICE_STATS("GetServiceStats"),
    GET_TABLE(Service.TABLE, "GetTable"),
    GET_TABLE_ACL(Service.TABLE, "GetTableAcl"),
    GET_USER_DELEGATION_KEY(Service.BLOB, "GetUserDelegationKey"),
    INSERT_ENTITY(Service.TABLE, "InsertEntity"),
    INSERT_OR_MERGE_ENTITY(Service.TABLE, "InsertOrMergeEntity"),
    INSERT_OR_REPLACE_ENTITY(Service.TABLE, "InsertOrReplaceEntity"),
    LEASE_BLOB(Service.BLOB, "LeaseBlob"),
    LEASE_CONTAINER(Service.BLOB, "LeaseContainer"),
    LIST_BLOBS(Service.BLOB, "ListBlobs"),
    LIST_CONTAINERS(Service.BLOB, "ListContainers"),
    LIST_QUEUES(Service.QUEUE, "ListQueues"),
    MERGE_ENTITY(Service.TABLE, "MergeEntity"),
    PEEK_MESSAGES(Service.QUEUE, "PeekMessages"),
    PREFLIGHT("PreflightRequest"),
    PUT_BLOB(Service.BLOB, "PutBlob"),
    PUT_BLOB_FROM_URL(Service.BLOB, "PutBlobFromURL"),
    PUT_BLOCK(Service.BLOB, "PutBlock"),
    PUT_BLOCK_FROM_URL(Service.BLOB, "PutBlockFromURL"),
    PUT_BLOCK_LIST(Service.BLOB, "PutBlockList"),
    PUT_MESSAGE(Service.QUEUE, "PutMessage"),
    QUERY_ENTITIES(Service.TABLE, "QueryEntities"),
    QUERY_TABLES(Service.TABLE, "QueryTables"),
    SET_BLOB_METADATA(Service.BLOB, "SetBlobMetadata"),
    SET_BLOB_PROPERTIES(Service.BLOB, "SetBlobProperties"),
    SET_BLOB_TAGS(Service.BLOB, "SetBlobTags"),
    SET_BLOB_TIER(Service.BLOB, "SetBlobTier"),
    SET_CONTAINER_ACL(Service.BLOB, "SetContainerACL"),
    SET_CONTAINER_METADATA(Service.BLOB, "SetContainerMetadata"),
    SET_QUEUE_ACL(Service.QUEUE, "SetQueueAcl"),
    SET_QUEUE_METADATA(Service.QUEUE, "SetQueueMetadata"),
    SET_SERVICE_PROPERTIES("SetServiceProperties"),
    SET_TABLE_ACL(Service.TABLE, "SetTableAcl"),
    SNAPSHOT_BLOB(Service.BLOB, "SnapshotBlob"),
    /** Refused before it was clear what it is for. */
    UNKNOWN("Unknown"),
    UPDATE_ENTITY(Service.TABLE, "UpdateEntity"),
    UPDATE_MESSAGE(Service.QUEUE, "UpdateMessage");

    private final @Nullable Service service;
    private final String word;

    OperationName(Service service, String word) {
        this.service = service;
        this.word = word;
    }

    /** An operation that all services have. */
    OperationName(String word) {
        this.service = null;
        this.word = word;
    }

    /** Whether there is such an operation in the service. */
    public boolean isOf(Service asked) {
        return service == null || service == asked;
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
