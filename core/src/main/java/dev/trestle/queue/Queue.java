package dev.trestle.queue;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Collection;
import dev.trestle.model.QueueName;
import java.util.List;
import java.util.Map;

/** A queue, without its messages. */
public record Queue(QueueName name, List<AccessPolicy> policies, Map<String, String> metadata) {

    static Queue of(Collection collection) {
        return new Queue(new QueueName(collection.name()), collection.policies(), collection.metadata());
    }
}
