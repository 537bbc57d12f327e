package dev.trestle.testkit;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.history.Call;
import dev.trestle.testkit.history.Outcome;
import dev.trestle.testkit.history.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An engine as a workload uses it. */
public final class EngineTarget implements Workload.Target {
    private final Engine engine;

    public EngineTarget(Engine engine) {
        this.engine = engine;
    }

    @Override
    public Outcome perform(String partition, Call call) {
        if (call instanceof Call.Read read) {
            Optional<byte[]> row = EngineContract.await(engine.read(EngineContract.key(partition, read.row())));
            return new Outcome.Seen(
                    row.map(bytes -> Map.of(read.row(), row(bytes))).orElse(Map.of()));
        } else if (call instanceof Call.Scan) {
            return scan(partition);
        } else if (call instanceof Call.Commit commit) {
            return commit(partition, commit);
        }
        throw new AssertionError(call);
    }

    private Outcome scan(String partition) {
        KeyRange range = new KeyRange(
                Key.beforePartition(EngineContract.COLLECTION, partition),
                Key.afterPartition(EngineContract.COLLECTION, partition));
        RowPage page =
                EngineContract.await(engine.scan(EngineContract.scanOf(range, Filter.ALL, EngineContract.NO_LIMITS)));
        Map<String, Outcome.Row> rows = new TreeMap<>();
        for (int i = 0; i < page.size(); i++) {
            rows.put(page.key(i).rowKey(), row(page.row(i)));
        }
        return new Outcome.Seen(rows);
    }

    private Outcome commit(String partition, Call.Commit call) {
        List<Write> writes = new ArrayList<>();
        for (Call.Change change : call.changes()) {
            writes.add(write(EngineContract.key(partition, change.row()), change));
        }
        CommitResult result =
                EngineContract.await(engine.commit(new Commit(EngineContract.COLLECTION, partition, writes)));
        if (result instanceof CommitResult.Committed committed) {
            return new Outcome.Committed(Collections.nCopies(writes.size(), version(committed.version())));
        } else if (result instanceof CommitResult.Refused refused) {
            return new Outcome.Refused(
                    refused.index(), Outcome.Reason.valueOf(refused.reason().name()));
        }
        throw new AssertionError(result);
    }

    private static Write write(Key key, Call.Change change) {
        Precondition precondition = switch (change.condition().rule()) {
            case NONE -> Precondition.NONE;
            case ABSENT -> Precondition.ABSENT;
            case PRESENT -> Precondition.PRESENT;
            case VERSION_EQUALS ->
                Precondition.versionEquals(Long.parseLong(change.condition().version()));
        };
        RowBuilder columns = new RowBuilder();
        change.columns().forEach((name, value) -> columns.put(name, new EdmValue.Text(value)));
        return switch (change.kind()) {
            case PUT -> new Write.Put(key, columns.build(), precondition);
            case MERGE -> new Write.Merge(key, columns.build(), precondition, EngineContract.ROW_LIMITS);
            case DELETE -> new Write.Delete(key, precondition);
        };
    }

    private static Outcome.Row row(byte[] bytes) {
        Map<String, String> columns = new TreeMap<>();
        EngineContract.properties(bytes).forEach((name, value) -> columns.put(name, ((EdmValue.Text) value).value()));
        return new Outcome.Row(version(Rows.version(bytes)), columns);
    }

    /** So that texts sort as versions do. */
    private static String version(long version) {
        return String.format("%019d", version);
    }
}
