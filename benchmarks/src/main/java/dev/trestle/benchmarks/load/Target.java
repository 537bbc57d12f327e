package dev.trestle.benchmarks.load;

import java.util.function.Predicate;
import java.util.function.Supplier;

/** A server under load: its address and its dialect. */
public final class Target {
    private final String name;
    private final Address address;
    private final Supplier<Dialect> dialects;
    private final Predicate<Workload> speaks;

    private Target(String name, Address address, Supplier<Dialect> dialects, Predicate<Workload> speaks) {
        this.name = name;
        this.address = address;
        this.dialects = dialects;
        this.speaks = speaks;
    }

    /** A table of a Table endpoint. */
    public static Target table(String name, Endpoint endpoint, String table) {
        return new Target(name, endpoint.address(), () -> new TableDialect(endpoint, table), workload -> true);
    }

    /** The bare loop, which has no tables. */
    public static Target bare(String name, Address address) {
        return new Target(name, address, BareDialect::new, BareDialect::speaks);
    }

    public String name() {
        return name;
    }

    public Address address() {
        return address;
    }

    /** Whether the target implements the workload. */
    public boolean speaks(Workload workload) {
        return speaks.test(workload);
    }

    Dialect newDialect() {
        return dialects.get();
    }
}
