package dev.trestle.engine;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One number that an engine tells about itself.
 *
 * @param name words in lower case, joined by dots, the unit last: {@code rocksdb.block.cache.usage.bytes}
 * @param description a sentence for the person who reads it
 * @param labels what tells figures of the same name apart
 * @param value looks the number up, from any thread, where it may wait a little; not a number when there is none
 */
public record Metric(String name, String description, Kind kind, Map<String, String> labels, DoubleSupplier value) {
    /** How a number moves. */
    public enum Kind {
        /** Up and down. */
        LEVEL,
        /** Up only, from zero when the engine was opened. */
        TOTAL
    }

    public Metric {
        labels = Map.copyOf(labels);
    }

    public static Metric level(String name, String description, DoubleSupplier value) {
        return new Metric(name, description, Kind.LEVEL, Map.of(), value);
    }

    public static Metric total(String name, String description, DoubleSupplier value) {
        return new Metric(name, description, Kind.TOTAL, Map.of(), value);
    }

    public Metric with(String label, String labelValue) {
        return new Metric(name, description, kind, Map.of(label, labelValue), value);
    }
}
