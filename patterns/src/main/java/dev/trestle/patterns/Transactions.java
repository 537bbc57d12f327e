package dev.trestle.patterns;

import com.azure.data.tables.models.TableTransactionAction;
import dev.trestle.patterns.entity.EntityKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the service's rules for an entity group transaction before it is sent. */
final class Transactions {
    static final int WRITES_MAX = 100;

    private Transactions() {}

    static List<TableTransactionAction> actions(List<Write> writes) {
        if (writes.isEmpty() || writes.size() > WRITES_MAX) {
            throw new IllegalArgumentException("A transaction has 1 to " + WRITES_MAX + " writes, not " + writes.size()
                    + ": use bulk for writes that need not be atomic");
        }
        Set<String> partitions = new HashSet<>();
        Set<EntityKey> keys = new HashSet<>();
        for (Write write : writes) {
            partitions.add(write.key().partitionKey());
            if (!keys.add(write.key())) {
                throw new IllegalArgumentException("A transaction can write to " + write.key() + " only once");
            }
        }
        if (partitions.size() > 1) {
            throw new IllegalArgumentException(
                    "All writes of a transaction must be of one partition, not of " + partitions
                            + ": keep these entities in one partition, or use the eventually consistent transactions pattern");
        }
        return writes.stream().map(Write::action).toList();
    }
}
