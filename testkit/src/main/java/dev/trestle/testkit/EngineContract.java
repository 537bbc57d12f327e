package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The fixture of the engine contract, whose parts {@link AllEngineContracts} lists. A fact about all engines
 * belongs in one of the parts, never in the test of one engine.
 */
public abstract class EngineContract {
    /** The smallest collection: every byte of the number is at least one. */
    protected static final long COLLECTION = 0x0101_0101_0101_0101L;

    protected static final long NEXT_COLLECTION = COLLECTION + 1;

    protected static final Scan.Limits NO_LIMITS =
            new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofHours(1));

    protected static final Write.RowLimits ROW_LIMITS = new Write.RowLimits(252, 0, 1 << 20);

    private static final long ANSWER_SECONDS_MAX = 30;

    protected final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

    private final Opener opener;

    protected Engine engine;

    /** Opens the engine of a test. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the engine. A second call in one test, after the first engine was closed, opens the same data.
         */
        Engine open(InstantSource clock) throws Exception;
    }

    protected EngineContract(Opener opener) {
        this.opener = opener;
    }

    @BeforeEach
    final void openEngine() throws Exception {
        engine = opener.open(clock);
    }

    @AfterEach
    final void closeEngine() {
        engine.close();
    }

    protected final void reopen() throws Exception {
        engine.close();
        engine = opener.open(clock);
    }

    /** Returns the result of the stage; a failure fails the test. */
    protected static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError("the engine failed or did not complete in time", e);
        }
    }

    /** The exception the stage completes with, which has to be the engine's own, not one wrapped around it. */
    protected static EngineException failureOf(CompletionStage<?> stage) {
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        stage.whenComplete((value, failure) ->
                seen.complete(failure != null ? failure : new AssertionError("the stage completed with " + value)));
        Throwable failure = await(seen);
        assertThat(failure).isInstanceOf(EngineException.class);
        return (EngineException) failure;
    }

    /** Returns the error of a request that is refused. */
    protected static StorageError errorOf(CompletionStage<?> stage) {
        Throwable failure = await(stage.handle((value, thrown) -> thrown == null ? null : StageFailures.cause(thrown)));
        if (failure instanceof StorageException answer) {
            return answer.error();
        }
        throw new AssertionError("it was not refused", failure);
    }

    protected static Key key(String partitionKey, String rowKey) {
        return Key.of(COLLECTION, partitionKey, rowKey);
    }

    /** A row of names and values in turns; an Integer becomes an Int32, anything else a String. */
    protected static byte[] row(Object... namesAndValues) {
        RowBuilder row = new RowBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            row.put(
                    namesAndValues[i].toString(),
                    value instanceof Integer number ? new EdmValue.Int32(number) : new EdmValue.Text(value.toString()));
        }
        return row.build();
    }

    protected static Map<String, EdmValue> properties(byte[] row) {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            properties.put(reader.name(), reader.value());
        }
        return properties;
    }

    protected static Write.Put put(Key key, byte[] row) {
        return new Write.Put(key, row, Precondition.NONE);
    }

    protected static Write.Put insert(Key key, byte[] row) {
        return new Write.Put(key, row, Precondition.ABSENT);
    }

    protected static Write.Merge merge(Key key, byte[] columns) {
        return new Write.Merge(key, columns, Precondition.NONE, ROW_LIMITS);
    }

    protected static Write.Delete delete(Key key) {
        return new Write.Delete(key, Precondition.NONE);
    }

    protected static Commit commitOf(Write... writes) {
        Key first = writes[0].key();
        return new Commit(first.collection(), first.partitionKey(), List.of(writes));
    }

    protected final CommitResult commit(Write... writes) {
        return await(engine.commit(commitOf(writes)));
    }

    /** Commits, requires that no write is refused, and returns the version. */
    protected final long committed(Write... writes) {
        CommitResult result = commit(writes);
        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        return ((CommitResult.Committed) result).version();
    }

    protected final Optional<byte[]> read(Key key) {
        return await(engine.read(key));
    }

    protected static KeyRange wholeCollection() {
        return Key.collectionRange(COLLECTION);
    }

    protected static Scan scanOf(KeyRange range, Filter filter, Scan.Limits limits) {
        return new Scan(List.of(range), filter, List.of(), limits);
    }

    protected final RowPage scan(KeyRange range) {
        return await(engine.scan(scanOf(range, Filter.ALL, NO_LIMITS)));
    }

    protected static List<Key> keys(RowPage page) {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < page.size(); i++) {
            keys.add(page.key(i));
        }
        return keys;
    }

    /** The ranges that are left when a page stopped at the position. */
    protected static List<KeyRange> rest(List<KeyRange> ranges, Key resume) {
        return ranges.stream()
                .map(range -> range.startingAt(resume.bytes()))
                .filter(range -> !range.isEmpty())
                .toList();
    }

    /** Returns all pages of a scan, each resumed where the last one stopped. */
    protected static List<RowPage> pages(Engine engine, Scan scan) {
        List<RowPage> pages = new ArrayList<>();
        Scan next = scan;
        while (true) {
            RowPage page = await(engine.scan(next));
            pages.add(page);
            if (page.resume().isEmpty()) {
                return pages;
            }
            assertThat(page.examined()).as("a page makes progress").isPositive();
            next = new Scan(
                    rest(next.ranges(), page.resume().orElseThrow()), scan.filter(), scan.columns(), scan.limits());
        }
    }
}
