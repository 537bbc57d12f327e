package dev.trestle.server.queue;

import dev.trestle.model.QueueName;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.Call;
import dev.trestle.server.pipeline.Request;
import java.util.Optional;

/**
 * A call of an operation of the Queue service.
 *
 * @param target empty for an operation on the account
 * @param messageId as in the path; empty for an operation without a message
 */
record QueueCall(Request request, Grant grant, Optional<QueueName> target, String messageId) implements Call {

    String account() {
        return request.account();
    }

    QueueName queue() {
        return target.orElseThrow();
    }
}
