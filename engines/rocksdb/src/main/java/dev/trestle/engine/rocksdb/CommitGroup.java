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
 * Commits that will be written together. Each is judged against the store as it will be once those staged before it are
 * written, and either staged whole or left out whole. Owned by the committer's thread; {@link #clear} makes it ready
 * again.
 */
final class CommitGroup {
    /** Stands for the result of a deletion. */
    private static final byte[] NO_ROW = {};

    private static final Staged DELETED = new Staged(0, Store.NOT_FOUND);

    /** Enough of a stored row to know its version. */
    private static final int VERSION_BYTES = 16;

    /** From so many writes on that ask for their rows, one look for any among their keys is cheaper than a look for each. */
    private static final int STRETCH_WRITES_MIN = 8;

    private static final KeyRange NOTHING = new KeyRange(new byte[0], new byte[0]);
    private static final int KEPT_BYTES_MAX = 1 << 20;

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

    /** What to write; empty when every commit was refused. */
    Batch batch() {
        return batch;
    }

    /** Of the rows that the batch changes. */
    Collection<Key> keys() {
        return staged.keySet();
    }

    /** Judges the commit and adds it to the batch unless it is refused. The result holds once the batch is written. */
    CommitResult stage(Commit commit) throws RocksDBException {
        if (isDropped.test(commit.collection())) {
            return new CommitResult.Refused(0, Reason.COLLECTION_DROPPED);
        }
        rows.clear();
        List<Write> writes = commit.writes();
        free = asksForMany(writes) ? freeStretch(commit) : NOTHING;
        for (int i = 0; i < writes.size(); i++) {
            Optional<Reason> refusal = judge(writes.get(i));
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

    private static boolean asksForMany(List<Write> writes) {
        return writes.size() >= STRETCH_WRITES_MIN
                && writes.stream().filter(CommitGroup::asksForRow).count() >= STRETCH_WRITES_MIN;
    }

    /** Whether what the write does depends on the row that is there. */
    private static boolean asksForRow(Write write) {
        return write instanceof Write.Merge || !write.precondition().equals(Precondition.NONE);
    }

    /** Keys from the commit's first on that the store has no rows at; new rows often follow each other. */
    private KeyRange freeStretch(Commit commit) throws RocksDBException {
        byte[] first = Collections.min(commit.writes(), Comparator.comparing(Write::key))
                .key()
                .bytes();
        byte[] end = Key.collectionRange(commit.collection()).to();
        return new KeyRange(first, store.freeUntil(first, end));
    }

    /** Why the write is refused; when it is not, what it makes of its row is at the end of {@link #rows}. */
    private Optional<Reason> judge(Write write) throws RocksDBException {
        byte[] current = null;
        if (asksForRow(write)) {
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

    /** At least the head of the row as it is now, in an array that the next call overwrites, or null. */
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

    /** Reads a staged or stored row like {@link Store#get}: returns its length and copies as much of it as fits. */
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
        if (buffer.length > KEPT_BYTES_MAX) {
            buffer = new byte[KEPT_BYTES_MAX];
        }
    }
}
