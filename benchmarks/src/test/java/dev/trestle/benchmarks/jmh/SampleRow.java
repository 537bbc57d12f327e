package dev.trestle.benchmarks.jmh;

import dev.trestle.benchmarks.load.Entities;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Ticks;
import dev.trestle.server.table.json.EntityReader;

/** The entities of the load driver, as these benchmarks need them. */
final class SampleRow {
    private static final String PARTITION_KEY = Entities.partitionKey(1);

    private SampleRow() {}

    static byte[] json(int row) {
        return Entities.json(PARTITION_KEY, row);
    }

    static Key key(int row) {
        return Key.of(-1, PARTITION_KEY, Entities.rowKey(row));
    }

    /** As it is stored. */
    static byte[] encoded(int row) {
        byte[] json = json(row);
        byte[] encoded = EntityReader.read(json, 0, json.length).row();
        Rows.stamp(encoded, Ticks.parse("2026-03-02T10:00:00.1234567Z").orElseThrow());
        return encoded;
    }
}
