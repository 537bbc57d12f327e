package dev.trestle.engine;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One metric of an engine.
 *
 * @param name lower-case words joined by dots, the unit last: {@code rocksdb.block.cache.usage.bytes}
 * @param description one sentence
 * @param labels distinguish metrics of the same name
 * @param value reads the current value; may be called from any thread and may block briefly; NaN if unknown
 */
public record Metric(String name, String description, Kind kind, Map<String, String> labels, DoubleSupplier value) {
    public enum Kind {
        /** Goes up and down. */
        GAUGE,
        /** Starts at zero when the engine is opened, and only increases. */
        COUNTER
    }

    public Metric {
        labels = Map.copyOf(labels);
    }

    public static Metric gauge(String name, String description, DoubleSupplier value) {
        return new Metric(name, description, Kind.GAUGE, Map.of(), value);
    }

    public static Metric counter(String name, String description, DoubleSupplier value) {
        return new Metric(name, description, Kind.COUNTER, Map.of(), value);
    }

    public Metric with(String label, String labelValue) {
        return new Metric(name, description, kind, Map.of(label, labelValue), value);
    }
}
