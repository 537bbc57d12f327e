package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes to one partition that apply together or not at all; each row at most once. */
public record Commit(long collection, String partitionKey, List<Write> writes) {
    public static final int WRITES_MAX = 100;

    public Commit {
        writes = List.copyOf(writes);
        if (writes.isEmpty() || writes.size() > WRITES_MAX) {
            throw new IllegalArgumentException("a commit has 1 to " + WRITES_MAX + " writes, not " + writes.size());
        }
        byte[] partition = Key.of(collection, partitionKey, "").bytes();
        for (Write write : writes) {
            if (!write.key().startsWith(partition)) {
                throw new IllegalArgumentException("a commit stays in its partition: " + write.key());
            }
        }
        if (writes.size() > 1) {
            Set<Key> seen = new HashSet<>();
            for (Write write : writes) {
                if (!seen.add(write.key())) {
                    throw new IllegalArgumentException("a commit writes a row once: " + write.key());
                }
            }
        }
    }

    /** What its keys and rows take. */
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
