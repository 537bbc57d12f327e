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
 * Commits to one region that will be sent together. Each is judged against the rows as they were read and as those before
 * it will leave them; what comes of all is one request that holds only if no row has changed since. For one attempt.
 */
final class CommitGroup {
    private static final ByteString FAMILY = ByteString.copyFrom(RowCells.FAMILY);
    private static final ByteString VERSION = ByteString.copyFrom(RowCells.VERSION);

    private final Map<Key, byte[]> before;
    private final Map<Key, byte @Nullable []> after = new LinkedHashMap<>();
    private final List<CommitResult> results = new ArrayList<>();

    /** @param before the rows that were found; any other is taken to be absent */
    CommitGroup(Map<Key, byte[]> before) {
        this.before = before;
    }

    /** Judges commits in their order. */
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

    /** What became of each commit, if the request holds. */
    List<CommitResult> results() {
        return results;
    }

    /** How many commits were given a version. */
    int committed() {
        return (int) results.stream()
                .filter(result -> result instanceof CommitResult.Committed)
                .count();
    }

    /** Whether there is nothing to send: every commit was refused, or deletes what is not there. */
    boolean changesNothing() {
        return after.entrySet().stream().allMatch(row -> row.getValue() == null && !before.containsKey(row.getKey()));
    }

    /** The rows that it removes and does not write. */
    List<Key> deleted() {
        return after.entrySet().stream()
                .filter(row -> row.getValue() == null && before.containsKey(row.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The rows that it writes; they will carry the commit's number. */
    List<Key> written() {
        return after.entrySet().stream()
                .filter(row -> row.getValue() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** @param commit a number that no other request has */
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
