package dev.trestle.queue;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.model.QueueName;
import java.util.List;
import java.util.Map;

/** A queue, without its messages. */
public record QueueInfo(QueueName name, List<AccessPolicy> policies, Map<String, String> metadata) {

    static QueueInfo of(CatalogueEntry collection) {
        return new QueueInfo(new QueueName(collection.name()), collection.policies(), collection.metadata());
    }
}
