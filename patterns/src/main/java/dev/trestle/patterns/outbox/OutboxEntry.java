package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.List;

/**
 * An outbox entry: the key of a changed entity and, for each follower in order, the places affected by the old or the new value.
 * Stored in the partition of the entity and written in the same transaction.
 */
@Entity(name = "OutboxEntry")
@PartitionKey("{partition}")
@RowKey(OutboxEntry.PREFIX + "{id}")
record OutboxEntry(String partition, String id, String rowKey, List<List<String>> places) {
    static final String PREFIX = "outbox_";
}
