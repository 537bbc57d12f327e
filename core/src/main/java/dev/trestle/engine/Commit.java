package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes to one partition that apply atomically. Each row is written at most once. */
public record Commit(long collection, String partitionKey, List<Write> writes) {
    public static final int WRITES_MAX = 100;

    public Commit {
        writes = List.copyOf(writes);
        if (writes.isEmpty() || writes.size() > WRITES_MAX) {
            throw new IllegalArgumentException(
                    "A commit must have 1 to " + WRITES_MAX + " writes, not " + writes.size() + ".");
        }
        byte[] partition = Key.of(collection, partitionKey, "").bytes();
        for (Write write : writes) {
            if (!write.key().startsWith(partition)) {
                throw new IllegalArgumentException("A write is outside of the partition of its commit: " + write.key());
            }
        }
        if (writes.size() > 1) {
            Set<Key> seen = new HashSet<>();
            for (Write write : writes) {
                if (!seen.add(write.key())) {
                    throw new IllegalArgumentException("A commit must not write a row twice: " + write.key());
                }
            }
        }
    }

    /** Returns the size of its keys and rows. */
    public long bytes() {
        long bytes = 0;
        for (Write write : writes) {
            bytes += write.key().bytes().length;
            if (write instanceof Write.Put put) {
                bytes += put.row().length;
            } else if (write instanceof Write.Merge merge) {
                bytes += merge.columns().length;
            }
        }
        return bytes;
    }
}
