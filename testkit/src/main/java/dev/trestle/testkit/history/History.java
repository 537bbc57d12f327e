package dev.trestle.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The operations of some clients, by partition. For any thread. */
public final class History {
    private final Map<String, List<Operation>> partitions = new TreeMap<>();

    public synchronized void add(String partition, Operation operation) {
        partitions.computeIfAbsent(partition, key -> new ArrayList<>()).add(operation);
    }

    /** Declares that operations without a response cannot take effect after this time. */
    public synchronized void settle(long now) {
        partitions
                .values()
                .forEach(operations -> operations.replaceAll(operation -> operation.isUnknown()
                        ? new Operation(
                                operation.id(),
                                operation.client(),
                                operation.call(),
                                operation.outcome(),
                                operation.invoked(),
                                Math.min(operation.returned(), now))
                        : operation));
    }

    public synchronized int size() {
        return partitions.values().stream().mapToInt(List::size).sum();
    }

    /** Why no order explains the history of some partition, or empty when there is one for each. */
    public synchronized Optional<String> violation() {
        for (Map.Entry<String, List<Operation>> partition : partitions.entrySet()) {
            Optional<String> violation = HistoryCheck.violation(partition.getValue());
            if (violation.isPresent()) {
                return Optional.of("Partition " + partition.getKey() + ": " + violation.get());
            }
        }
        return Optional.empty();
    }
}
