package dev.trestle.server.auth;

import dev.trestle.server.blob.BlobOperations;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.queue.QueueOperations;
import dev.trestle.server.table.TableOperations;
import java.util.List;
import java.util.stream.Stream;

/** The permissions that the services declare, each named after an operation that requires it. */
enum DeclaredPermission {
    GET_SERVICE_PROPERTIES("GetServiceProperties"),
    SET_SERVICE_PROPERTIES("SetServiceProperties"),
    GET_SERVICE_STATS("GetServiceStats"),
    QUERY_TABLES("QueryTables"),
    CREATE_TABLE("CreateTable"),
    DELETE_TABLE("DeleteTable"),
    GET_TABLE_ACL("GetTableAcl"),
    SET_TABLE_ACL("SetTableAcl"),
    QUERY_ENTITIES("QueryEntities"),
    INSERT_ENTITY("InsertEntity"),
    UPSERT_ENTITY("InsertOrReplaceEntity"),
    UPDATE_ENTITY("UpdateEntity"),
    DELETE_ENTITY("DeleteEntity"),
    LIST_QUEUES("ListQueues"),
    CREATE_QUEUE("CreateQueue"),
    DELETE_QUEUE("DeleteQueue"),
    GET_QUEUE_METADATA("GetQueueMetadata"),
    SET_QUEUE_METADATA("SetQueueMetadata"),
    GET_QUEUE_ACL("GetQueueAcl"),
    SET_QUEUE_ACL("SetQueueAcl"),
    PUT_MESSAGE("PutMessage"),
    GET_MESSAGES("GetMessages"),
    PEEK_MESSAGES("PeekMessages"),
    UPDATE_MESSAGE("UpdateMessage"),
    DELETE_MESSAGE("DeleteMessage"),
    CLEAR_MESSAGES("ClearMessages"),
    LIST_CONTAINERS("ListContainers"),
    GET_ACCOUNT_INFORMATION("GetAccountInformation"),
    BLOB_BATCH("BlobBatch"),
    GET_USER_DELEGATION_KEY("GetUserDelegationKey"),
    CREATE_CONTAINER("CreateContainer"),
    DELETE_CONTAINER("DeleteContainer"),
    GET_CONTAINER_PROPERTIES("GetContainerProperties"),
    SET_CONTAINER_METADATA("SetContainerMetadata"),
    GET_CONTAINER_ACL("GetContainerACL"),
    SET_CONTAINER_ACL("SetContainerACL"),
    LEASE_CONTAINER("LeaseContainer"),
    BREAK_CONTAINER_LEASE("LeaseContainer"),
    LIST_BLOBS("ListBlobs"),
    LIST_BLOB_TAGS("ListBlobs"),
    FIND_BLOBS("FindBlobsByTags"),
    FIND_BLOBS_IN_CONTAINER("FindBlobsByTags"),
    GET_BLOB_TAGS("GetBlobTags"),
    SET_BLOB_TAGS("SetBlobTags"),
    GET_BLOB("GetBlob"),
    PUT_BLOB("PutBlob"),
    WRITE_BLOB("SetBlobProperties"),
    APPEND_BLOCK("AppendBlock"),
    BREAK_BLOB_LEASE("LeaseBlob"),
    DELETE_BLOB("DeleteBlob");

    private final String operationName;

    DeclaredPermission(String operationName) {
        this.operationName = operationName;
    }

    Permission permission() {
        List<? extends Operation<?, ?>> declared = Stream.of(
                        TableOperations.all(), QueueOperations.all(), BlobOperations.all())
                .flatMap(List::stream)
                .filter(operation -> operation.name().equals(operationName))
                .toList();
        return switch (this) {
            case LIST_BLOB_TAGS ->
                declared.get(0).conditionalPermissions().get(0).permission();
            case FIND_BLOBS_IN_CONTAINER, LEASE_CONTAINER -> declared.get(1).permission();
            default -> declared.get(0).permission();
        };
    }
}
