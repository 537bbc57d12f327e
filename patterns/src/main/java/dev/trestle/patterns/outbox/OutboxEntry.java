package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.List;

/**
 * What is still to be settled after a change: the entity, and the places of each follower, by its number, that the value before
 * or after has to do with. It stands in the partition of the entity and is written with it.
 */
@Entity(name = "OutboxEntry")
@PartitionKey("{partition}")
@RowKey(OutboxEntry.PREFIX + "{id}")
record OutboxEntry(String partition, String id, String rowKey, List<List<String>> places) {
    static final String PREFIX = "outbox_";
}
