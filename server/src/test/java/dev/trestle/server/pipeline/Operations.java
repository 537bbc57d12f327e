package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.server.blob.BlobOperations;
import dev.trestle.server.queue.QueueOperations;
import dev.trestle.server.table.TableOperations;
import java.util.List;
import java.util.Map;

/** The declared operations, by name. */
public final class Operations {
    private Operations() {}

    /** All operations of a service. */
    public static List<Operation<?, ?>> of(Service service) {
        return List.copyOf(
                switch (service) {
                    case TABLE -> TableOperations.all();
                    case QUEUE -> QueueOperations.all();
                    case BLOB -> BlobOperations.all();
                });
    }

    /** The first operation of a service with this name. */
    public static Operation<?, ?> of(Service service, String name) {
        return Map.of("Unknown", Operation.UNKNOWN, "PreflightRequest", Operation.PREFLIGHT)
                .getOrDefault(
                        name,
                        of(service).stream()
                                .filter(operation -> operation.name().equals(name))
                                .findFirst()
                                .orElse(Operation.UNKNOWN));
    }
}
