package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.CommitResult.Reason;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A group of commits that is written as one batch. The preconditions of a commit are checked against the store and
 * the commits staged before it; then it is staged completely or refused. Used by the committer's thread only;
 * {@link #clear} prepares it for the next group.
 */
final class CommitGroup {
    /** Stands for the result of a deletion. */
    private static final byte[] NO_ROW = {};

    private static final Staged DELETED = new Staged(0, Store.NOT_FOUND);

    /** Bytes of a stored row that contain its version. */
    private static final int VERSION_BYTES = 16;

    /**
     * With so many writes that read their rows, one seek for the next existing key is cheaper than a lookup for
     * each.
     */
    private static final int SEEK_WRITES_MIN = 8;

    private static final KeyRange NOTHING = new KeyRange(new byte[0], new byte[0]);
    private static final int BUFFER_BYTES_MAX = 1 << 20;

    private final Store store;
    private final LongPredicate isDropped;
    private final LongSupplier versions;
    private final Batch batch = new Batch();
    private final Map<Key, Staged> staged = new HashMap<>();
    private final List<byte[]> rows = new ArrayList<>();
    private final byte[] head = new byte[VERSION_BYTES];
    private byte[] buffer = new byte[64 * 1024];
    private KeyRange free = NOTHING;

    /** Where the batch has a row as the last staged commit left it. */
    private record Staged(int start, int length) {}

    /**
     * @param isDropped whether a collection is dropped
     * @param versions generates the version of a commit
     */
    CommitGroup(Store store, LongPredicate isDropped, LongSupplier versions) {
        this.store = store;
        this.isDropped = isDropped;
        this.versions = versions;
    }

    /** Returns the batch to write; empty if every commit was refused. */
    Batch batch() {
        return batch;
    }

    /** Returns the keys that the batch changes. */
    Collection<Key> keys() {
        return staged.keySet();
    }

    /** Adds the commit to the batch unless it is refused. The result is valid once the batch is written. */
    CommitResult stage(Commit commit) throws RocksDBException {
        if (isDropped.test(commit.collection())) {
            return new CommitResult.Refused(0, Reason.COLLECTION_DROPPED);
        }
        rows.clear();
        List<Write> writes = commit.writes();
        free = readsMany(writes) ? freeRange(commit) : NOTHING;
        for (int i = 0; i < writes.size(); i++) {
            Optional<Reason> refusal = check(writes.get(i));
            if (refusal.isPresent()) {
                return new CommitResult.Refused(i, refusal.get());
            }
        }
        long version = versions.getAsLong();
        for (int i = 0; i < writes.size(); i++) {
            add(writes.get(i).key(), rows.get(i), version);
        }
        return new CommitResult.Committed(version);
    }

    private static boolean readsMany(List<Write> writes) {
        return writes.size() >= SEEK_WRITES_MIN
                && writes.stream().filter(CommitGroup::readsRow).count() >= SEEK_WRITES_MIN;
    }

    /** Returns whether the result of the write depends on the current row. */
    private static boolean readsRow(Write write) {
        return write instanceof Write.Merge || !write.precondition().equals(Precondition.NONE);
    }

    /**
     * Returns the range from the first key of the commit on that is empty in the store; new rows are often
     * adjacent.
     */
    private KeyRange freeRange(Commit commit) throws RocksDBException {
        byte[] first = Collections.min(commit.writes(), Comparator.comparing(Write::key))
                .key()
                .bytes();
        byte[] end = Key.collectionRange(commit.collection()).to();
        return new KeyRange(first, store.freeUntil(first, end));
    }

    /** Returns why the write is refused; if it is not, appends its new row to {@link #rows}. */
    private Optional<Reason> check(Write write) throws RocksDBException {
        byte[] current = null;
        if (readsRow(write)) {
            current = write instanceof Write.Merge ? row(write.key()) : head(write.key());
        }
        Write.Outcome outcome = write.on(current);
        byte[] row = outcome.row();
        rows.add(row == null ? NO_ROW : row);
        return outcome.refusal();
    }

    private void add(Key key, byte[] row, long version) {
        if (row == NO_ROW) {
            batch.delete(key.bytes());
            staged.put(key, DELETED);
        } else {
            // The version is set in the batch's copy, because the row belongs to the caller.
            staged.put(key, new Staged(batch.put(key.bytes(), row, version), row.length));
        }
    }

    /** Returns at least the head of the current row, in an array that the next call overwrites, or null. */
    private byte @Nullable [] head(Key key) throws RocksDBException {
        return read(key, head) == Store.NOT_FOUND ? null : head;
    }

    private byte @Nullable [] row(Key key) throws RocksDBException {
        int length = read(key, buffer);
        if (length == Store.NOT_FOUND) {
            return null;
        }
        if (length > buffer.length) {
            buffer = new byte[length];
            length = read(key, buffer);
        }
        return Arrays.copyOf(buffer, length);
    }

    /**
     * Reads a staged or stored row like {@link Store#get}: returns its length and copies as much of it as fits.
     */
    private int read(Key key, byte[] value) throws RocksDBException {
        Staged ahead = staged.get(key);
        if (ahead != null) {
            if (ahead.length != Store.NOT_FOUND) {
                batch.copy(ahead.start, value, Math.min(ahead.length, value.length));
            }
            return ahead.length;
        }
        return free.contains(key.bytes()) ? Store.NOT_FOUND : store.get(key.bytes(), value);
    }

    void clear() {
        batch.clear();
        staged.clear();
        rows.clear();
        if (buffer.length > BUFFER_BYTES_MAX) {
            buffer = new byte[BUFFER_BYTES_MAX];
        }
    }
}
