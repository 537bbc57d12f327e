package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;

/** The requests of the Queue protocol, as the SDKs write them. Confined to one connection, like a {@link Dialect}. */
final class QueueDialect {
    /** The most messages that one request receives. */
    static final int TAKEN_MAX = 32;

    private static final String XML = "application/xml";

    /** About as long as an entity of the other workloads. */
    private static final String TEXT = "The quick brown fox jumps over the lazy dog, and over it again. ".repeat(9);

    private final StorageHead head;
    private final String path;
    private final Request request = new Request();

    QueueDialect(Endpoint endpoint, String queue) {
        this.head = new StorageHead(endpoint);
        this.path = endpoint.basePath() + "/" + queue;
    }

    Request create() {
        request.newBody();
        return finish("PUT", path, "", "", 201);
    }

    Request clear() {
        request.newBody();
        return finish("DELETE", path + "/messages", "", "", 204);
    }

    Request delete() {
        request.newBody();
        return finish("DELETE", path, "", "", 204);
    }

    Request put() {
        request.newBody()
                .text("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><QueueMessage><MessageText>")
                .text(TEXT)
                .text("</MessageText></QueueMessage>");
        return finish("POST", path + "/messages", "", XML, 201);
    }

    Request take(int messages) {
        request.newBody();
        return finish("GET", path + "/messages", "numofmessages=" + messages + "&visibilitytimeout=60", "", 200);
    }

    Request remove(String id, String receipt) {
        request.newBody();
        return finish("DELETE", path + "/messages/" + id, "popreceipt=" + receipt.replace("+", "%2B"), "", 204);
    }

    private Request finish(String method, String target, String query, String contentType, int status) {
        head.write(request, method, target, query, contentType, "");
        return request.expect(status, Counted.NOTHING, 0);
    }
}
