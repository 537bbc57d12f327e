package dev.trestle.engine.hbase;

import com.google.protobuf.ByteString;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.jspecify.annotations.Nullable;

/**
 * A group of commits to one region that are sent in one request. The preconditions of each are checked against the
 * rows that were read, as changed by the commits before it. The request is conditional: it applies only if no row
 * has changed since (optimistic concurrency). Used for one attempt.
 */
final class CommitGroup {
    private static final ByteString FAMILY = ByteString.copyFrom(RowCells.FAMILY);
    private static final ByteString VERSION = ByteString.copyFrom(RowCells.VERSION);

    private final Map<Key, byte[]> before;
    private final Map<Key, byte @Nullable []> after = new LinkedHashMap<>();
    private final List<CommitResult> results = new ArrayList<>();

    /** @param before the rows that exist; all others are assumed to be absent */
    CommitGroup(Map<Key, byte[]> before) {
        this.before = before;
    }

    /** Checks and stages commits in order. */
    void stage(List<Commit> commits, LongPredicate isDropped, LongSupplier versions) {
        for (Commit commit : commits) {
            results.add(
                    isDropped.test(commit.collection())
                            ? new CommitResult.Refused(0, CommitResult.Reason.COLLECTION_DROPPED)
                            : stage(commit, versions));
        }
    }

    private CommitResult stage(Commit commit, LongSupplier versions) {
        List<Write> writes = commit.writes();
        List<Write.Outcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            Write write = writes.get(i);
            Write.Outcome outcome = write.on(current(write.key()));
            if (outcome.refusal().isPresent()) {
                return new CommitResult.Refused(i, outcome.refusal().get());
            }
            outcomes.add(outcome);
        }
        long version = versions.getAsLong();
        for (int i = 0; i < writes.size(); i++) {
            byte[] row = outcomes.get(i).row();
            if (row != null) {
                // A copy, because the row belongs to the caller.
                row = row.clone();
                Rows.stamp(row, version);
            }
            after.put(writes.get(i).key(), row);
        }
        return new CommitResult.Committed(version);
    }

    private byte @Nullable [] current(Key key) {
        return after.containsKey(key) ? after.get(key) : before.get(key);
    }

    /** Returns the result of each commit, valid if the request applies. */
    List<CommitResult> results() {
        return results;
    }

    /** Returns the number of commits that were assigned a version. */
    int committed() {
        return (int) results.stream()
                .filter(result -> result instanceof CommitResult.Committed)
                .count();
    }

    /** Returns whether there is nothing to send: every commit was refused, or deletes rows that do not exist. */
    boolean changesNothing() {
        return after.entrySet().stream().allMatch(row -> row.getValue() == null && !before.containsKey(row.getKey()));
    }

    /** Returns the keys of deleted rows. */
    List<Key> deleted() {
        return after.entrySet().stream()
                .filter(row -> row.getValue() == null && before.containsKey(row.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the keys of written rows, which will have the number of the request. */
    List<Key> written() {
        return after.entrySet().stream()
                .filter(row -> row.getValue() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** @param commit the unique number of the request */
    MutateRowsRequest request(long commit, Durability durability) {
        MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
        after.forEach((key, row) -> {
            byte[] old = before.get(key);
            for (Mutation mutation : RowCells.change(key, old, row, commit, durability)) {
                MutationType type = mutation instanceof Delete ? MutationType.DELETE : MutationType.PUT;
                try {
                    request.addMutationRequest(ProtobufUtil.toMutation(type, mutation));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            request.addCondition(unchanged(key, old));
        });
        return request.build();
    }

    private static Condition unchanged(Key key, byte @Nullable [] old) {
        ByteArrayComparable expected = old == null
                ? new NullComparator()
                : new BinaryPrefixComparator(ByteBuffer.allocate(Long.BYTES)
                        .putLong(Rows.version(old))
                        .array());
        return Condition.newBuilder()
                .setRow(ByteString.copyFrom(key.bytes()))
                .setFamily(FAMILY)
                .setQualifier(VERSION)
                .setCompareType(CompareType.EQUAL)
                .setComparator(ProtobufUtil.toComparator(expected))
                .build();
    }

    static Map<Key, byte[]> rows(Map<Key, RowCells.Read> reads) {
        Map<Key, byte[]> rows = new HashMap<>();
        reads.forEach((key, read) -> rows.put(key, read.row()));
        return rows;
    }
}
