package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routing table of a service: its operations by resource, {@code comp} and verb. Immutable. */
public final class OperationTable<H, C> {
    private final List<Operation<H, C>> operations;

    /** By kind of resource, then by {@code comp}, then by verb. */
    private final Map<Enum<?>, Map<String, Map<String, List<Operation<H, C>>>>> byResource = new HashMap<>();

    private OperationTable(List<Operation<H, C>> operations) {
        this.operations = List.copyOf(operations);
        for (Operation<H, C> operation : operations) {
            for (Operation.Route route : operation.routes()) {
                Map<String, List<Operation<H, C>>> byVerb = byResource
                        .computeIfAbsent(route.resource(), resource -> new HashMap<>())
                        .computeIfAbsent(operation.comp(), comp -> new HashMap<>());
                for (String verb : route.verbs()) {
                    byVerb.computeIfAbsent(verb, none -> new ArrayList<>()).add(operation);
                }
            }
        }
    }

    /** Begins the table of a service. */
    public static <H, C> Builder<H, C> of(Service service) {
        return new Builder<>(service);
    }

    /** Returns all operations in the order of their declaration. */
    public List<Operation<H, C>> all() {
        return operations;
    }

    /** Returns the first operation that matches the request. */
    public Optional<Operation<H, C>> find(Enum<?> resource, String comp, String verb, Request request) {
        for (Operation<H, C> candidate : byVerb(resource, comp).getOrDefault(verb, List.of())) {
            if (candidate.accepts(request)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Whether the resource has operations with this {@code comp}, for any verb. */
    public boolean contains(Enum<?> resource, String comp) {
        return !byVerb(resource, comp).isEmpty();
    }

    private Map<String, List<Operation<H, C>>> byVerb(Enum<?> resource, String comp) {
        return byResource.getOrDefault(resource, Map.of()).getOrDefault(comp, Map.of());
    }

    /** Collects the operations of a service as they are declared. */
    public static final class Builder<H, C> {
        private final Service service;
        private final List<Operation<H, C>> declared = new ArrayList<>();

        private Builder(Service service) {
            this.service = service;
        }

        public Service service() {
            return service;
        }

        /** Begins the declaration of an operation; the name is that of the service's documentation. */
        public Operation.Builder<H, C> operation(String name) {
            return new Operation.Builder<>(service, name, declared::add);
        }

        /** Returns the table of all operations declared so far. */
        public OperationTable<H, C> build() {
            return new OperationTable<>(declared);
        }
    }
}
