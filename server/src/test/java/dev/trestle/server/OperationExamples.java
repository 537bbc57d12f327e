package dev.trestle.server;

import static dev.trestle.catalogue.Service.BLOB;
import static dev.trestle.catalogue.Service.QUEUE;
import static dev.trestle.catalogue.Service.TABLE;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Operations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A request for each operation of each service. In paths and bodies, {@code R} is a table, queue or container. */
final class OperationExamples {
    private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
    private static final String SOURCE =
            "x-ms-copy-source: http://127.0.0.1/devstoreaccount1/R/b?" + GuardedServer.owner();
    private static final String ENTITY = "{\"PartitionKey\":\"p\",\"RowKey\":\"NEW\"}";
    private static final String ANY = "If-Match: *";

    /** A blob that exists, and one that does not. */
    private static final String OLD = "/R/b";

    private static final String NEW = "/R/NEW";

    private static final String CONTAINER = "/R?restype=container";
    private static final String EMPTY_ACL = "<?xml version=\"1.0\"?><SignedIdentifiers/>";
    private static final String MESSAGE = "<QueueMessage><MessageText>bQ==</MessageText></QueueMessage>";
    private static final String EMPTY_BATCH = "--b--\r\n";

    /**
     * A request.
     *
     * @param which which of several declarations with the name, from 0
     */
    record Example(
            Service service,
            String operation,
            int which,
            String method,
            String path,
            String body,
            List<String> headers) {
        Operation<?, ?> declared() {
            return Operations.of(service).stream()
                    .filter(declared -> declared.name().equals(operation))
                    .skip(which)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no operation " + this));
        }

        /** The permission that the request requires. That of a transaction is that of the insert in it. */
        Permission permission() {
            return operation.equals("EntityGroupTransaction")
                    ? Operations.of(TABLE, "InsertEntity").permission()
                    : declared().permission();
        }

        /** Whether it is about a blob. */
        boolean isOnBlob() {
            return service == BLOB && (path.startsWith(OLD) || path.startsWith(NEW));
        }

        Example with(String header) {
            List<String> more = new ArrayList<>(headers);
            more.add(header);
            return new Example(service, operation, which, method, path, body, List.copyOf(more));
        }

        /** The same list, with this in it as well. */
        Example including(String what) {
            return new Example(service, operation, which, method, path + "&include=" + what, body, headers);
        }

        @Override
        public String toString() {
            return service.word() + " " + operation + (which == 0 ? "" : " " + which);
        }
    }

    static final List<Example> ALL = List.of(
            of(TABLE, "GetServiceDocument", "GET", "/"),
            of(TABLE, "GetMetadata", "GET", "/$metadata"),
            of(TABLE, "QueryTables", "GET", "/Tables"),
            of(TABLE, "GetTable", "GET", "/Tables('R')"),
            of(TABLE, "CreateTable", "POST", "/Tables", "{\"TableName\":\"NEW\"}", "Content-Type: application/json"),
            of(TABLE, "DeleteTable", "DELETE", "/Tables('R')"),
            of(TABLE, "GetTableAcl", "GET", "/R?comp=acl"),
            of(TABLE, "SetTableAcl", "PUT", "/R?comp=acl", EMPTY_ACL),
            of(TABLE, "QueryEntities", "GET", "/R()"),
            of(TABLE, "GetEntity", "GET", "/R(PartitionKey='p',RowKey='r')"),
            of(TABLE, "InsertEntity", "POST", "/R", ENTITY, "Content-Type: application/json"),
            entity("InsertOrReplaceEntity", "PUT"),
            entity("InsertOrMergeEntity", "MERGE"),
            entity("UpdateEntity", "PUT").with(ANY),
            entity("MergeEntity", "MERGE").with(ANY),
            of(TABLE, "DeleteEntity", "DELETE", "/R(PartitionKey='p',RowKey='r')")
                    .with(ANY),
            of(
                    TABLE,
                    "EntityGroupTransaction",
                    "POST",
                    "/$batch",
                    transaction(),
                    "Content-Type: multipart/mixed; boundary=b"),
            of(TABLE, "GetServiceProperties", "GET", "/?restype=service&comp=properties"),
            of(
                    TABLE,
                    "SetServiceProperties",
                    "PUT",
                    "/?restype=service&comp=properties",
                    "<StorageServiceProperties/>"),
            of(TABLE, "GetServiceStats", "GET", "/?restype=service&comp=stats"),
            of(QUEUE, "ListQueues", "GET", "/?comp=list"),
            of(QUEUE, "CreateQueue", "PUT", "/NEW", ""),
            of(QUEUE, "DeleteQueue", "DELETE", "/R"),
            of(QUEUE, "GetQueueMetadata", "GET", "/R?comp=metadata"),
            of(QUEUE, "SetQueueMetadata", "PUT", "/R?comp=metadata", ""),
            of(QUEUE, "GetQueueAcl", "GET", "/R?comp=acl"),
            of(QUEUE, "SetQueueAcl", "PUT", "/R?comp=acl", EMPTY_ACL),
            of(QUEUE, "PutMessage", "POST", "/R/messages", MESSAGE),
            of(QUEUE, "PeekMessages", "GET", "/R/messages?peekonly=true"),
            of(QUEUE, "GetMessages", "GET", "/R/messages"),
            of(QUEUE, "ClearMessages", "DELETE", "/R/messages"),
            of(QUEUE, "UpdateMessage", "PUT", "/R/messages/id?popreceipt=AA&visibilitytimeout=0", MESSAGE),
            of(QUEUE, "DeleteMessage", "DELETE", "/R/messages/id?popreceipt=AA"),
            of(QUEUE, "GetServiceProperties", "GET", "/?restype=service&comp=properties"),
            of(
                    QUEUE,
                    "SetServiceProperties",
                    "PUT",
                    "/?restype=service&comp=properties",
                    "<StorageServiceProperties/>"),
            of(QUEUE, "GetServiceStats", "GET", "/?restype=service&comp=stats"),
            of(BLOB, "ListContainers", "GET", "/?comp=list"),
            of(BLOB, "FindBlobsByTags", "GET", "/?comp=blobs&where=a%3D%27b%27"),
            of(BLOB, "GetAccountInformation", "GET", "/R?restype=account&comp=properties"),
            of(BLOB, "GetUserDelegationKey", "POST", "/?restype=service&comp=userdelegationkey", "<KeyInfo/>"),
            of(
                    BLOB,
                    "BlobBatch",
                    "POST",
                    "/R?restype=container&comp=batch",
                    EMPTY_BATCH,
                    "Content-Type: multipart/mixed; boundary=b"),
            of(BLOB, "CreateContainer", "PUT", "/NEW?restype=container", ""),
            of(BLOB, "DeleteContainer", "DELETE", CONTAINER),
            of(BLOB, "GetContainerProperties", "GET", CONTAINER),
            of(BLOB, "GetContainerMetadata", "GET", CONTAINER + "&comp=metadata"),
            of(BLOB, "SetContainerMetadata", "PUT", CONTAINER + "&comp=metadata", ""),
            of(BLOB, "GetContainerACL", "GET", CONTAINER + "&comp=acl"),
            of(BLOB, "SetContainerACL", "PUT", CONTAINER + "&comp=acl", EMPTY_ACL),
            of(BLOB, "LeaseContainer", "PUT", CONTAINER + "&comp=lease", "", "x-ms-lease-action: break"),
            second(of(BLOB, "LeaseContainer", "PUT", CONTAINER + "&comp=lease", "", "x-ms-lease-action: renew")),
            of(BLOB, "ListBlobs", "GET", CONTAINER + "&comp=list"),
            second(of(BLOB, "FindBlobsByTags", "GET", CONTAINER + "&comp=blobs&where=a%3D%27b%27")),
            of(BLOB, "GetBlobTags", "GET", OLD + "?comp=tags"),
            of(BLOB, "SetBlobTags", "PUT", OLD + "?comp=tags", "<Tags><TagSet/></Tags>"),
            of(BLOB, "GetBlob", "GET", OLD),
            of(BLOB, "GetBlobProperties", "HEAD", OLD),
            of(BLOB, "GetBlobMetadata", "GET", OLD + "?comp=metadata"),
            of(BLOB, "GetBlockList", "GET", OLD + "?comp=blocklist"),
            of(BLOB, "CopyBlobFromURL", "PUT", NEW, "", SOURCE, "x-ms-requires-sync: true"),
            of(BLOB, "CopyBlob", "PUT", NEW, "", SOURCE),
            of(BLOB, "PutBlobFromURL", "PUT", NEW, "", SOURCE, BLOCK_BLOB),
            of(BLOB, "PutBlob", "PUT", NEW, "x", BLOCK_BLOB),
            second(of(BLOB, "PutBlob", "PUT", NEW, "", "x-ms-blob-type: AppendBlob")),
            of(BLOB, "PutBlockFromURL", "PUT", NEW + "?comp=block&blockid=MQ==", "", SOURCE),
            of(BLOB, "PutBlock", "PUT", NEW + "?comp=block&blockid=MQ==", "x"),
            of(BLOB, "PutBlockList", "PUT", NEW + "?comp=blocklist", "<BlockList/>"),
            of(BLOB, "SnapshotBlob", "PUT", OLD + "?comp=snapshot", ""),
            of(BLOB, "AppendBlockFromURL", "PUT", OLD + "?comp=appendblock", "", SOURCE),
            of(BLOB, "AppendBlock", "PUT", OLD + "?comp=appendblock", "x"),
            of(BLOB, "AppendBlobSeal", "PUT", OLD + "?comp=seal", ""),
            of(BLOB, "SetBlobProperties", "PUT", OLD + "?comp=properties", ""),
            of(BLOB, "SetBlobMetadata", "PUT", OLD + "?comp=metadata", ""),
            of(BLOB, "SetBlobTier", "PUT", OLD + "?comp=tier", "", "x-ms-access-tier: Hot"),
            of(BLOB, "LeaseBlob", "PUT", OLD + "?comp=lease", "", "x-ms-lease-action: break"),
            second(of(BLOB, "LeaseBlob", "PUT", OLD + "?comp=lease", "", "x-ms-lease-action: renew")),
            of(BLOB, "AbortCopyBlob", "PUT", OLD + "?comp=copy&copyid=c", "", "x-ms-copy-action: abort"),
            of(BLOB, "DeleteBlob", "DELETE", OLD),
            of(BLOB, "GetServiceProperties", "GET", "/?restype=service&comp=properties"),
            of(BLOB, "SetServiceProperties", "PUT", "/?restype=service&comp=properties", "<StorageServiceProperties/>"),
            of(BLOB, "GetServiceStats", "GET", "/?restype=service&comp=stats"));

    private OperationExamples() {}

    private static Example of(Service service, String operation, String method, String path) {
        return new Example(service, operation, 0, method, path, "", List.of());
    }

    private static Example of(
            Service service, String operation, String method, String path, String body, String... headers) {
        return new Example(service, operation, 0, method, path, body, List.of(headers));
    }

    private static Example entity(String operation, String method) {
        return of(TABLE, operation, method, "/R(PartitionKey='p',RowKey='r')", "{}", "Content-Type: application/json");
    }

    private static Example second(Example first) {
        return new Example(first.service, first.operation, 1, first.method, first.path, first.body, first.headers);
    }

    private static String transaction() {
        return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                + "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                + "POST http://127.0.0.1/devstoreaccount1/R HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
                + ENTITY + "\r\n--c--\r\n--b--\r\n";
    }

    /** Sends all examples as the owner of the account, and returns the responses. */
    static List<Answer> sendAll(GuardedServer server) throws IOException {
        List<Answer> answers = new ArrayList<>();
        for (Example example : ALL) {
            String name = "res" + example.service().word();
            makeResource(server, example.service(), name);
            answers.add(server.owner(
                    example.service(),
                    example.method(),
                    filled(example.path(), name),
                    filled(example.body(), name),
                    example.headers().stream()
                            .map(header -> filled(header, name))
                            .toArray(String[]::new)));
        }
        return answers;
    }

    private static void makeResource(GuardedServer server, Service service, String name) throws IOException {
        switch (service) {
            case TABLE -> {
                String json = "Content-Type: application/json";
                server.owner(service, "POST", "/Tables", "{\"TableName\":\"" + name + "\"}", json);
                server.owner(service, "POST", "/" + name, "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}", json);
            }
            case QUEUE -> server.owner(service, "PUT", "/" + name, "");
            case BLOB -> {
                server.owner(service, "PUT", "/" + name + "?restype=container", "");
                server.owner(service, "PUT", "/" + name + "/b", "x", "x-ms-blob-type: BlockBlob");
            }
        }
    }

    private static String filled(String text, String name) {
        return text.replace("NEW", "new1").replaceAll("\\bR\\b", name);
    }
}
