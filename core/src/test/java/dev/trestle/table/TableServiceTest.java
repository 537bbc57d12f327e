package dev.trestle.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage.StopReason;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.model.EntityKey;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.FaultyEngine.Call;
import dev.trestle.testkit.Gen;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TableServiceTest {
    private static final String ACCOUNT = "account";
    private static final TableName ORDERS = new TableName("Orders");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:00:00Z"));
    private final FaultyEngine engine = new FaultyEngine(new ModelEngine(clock));
    private final TableService tables =
            new TableService(engine, new Catalogue(Service.TABLE, engine, clock, new Random(7)));

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Returns the error of a call, thrown directly or by its stage. */
    private static StorageException refusal(Supplier<CompletionStage<?>> call) {
        try {
            Object answer = await(call.get());
            throw new AssertionError("not refused: " + answer);
        } catch (StorageException e) {
            return e;
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageException refusal) {
                return refusal;
            }
            throw e;
        }
    }

    private static StorageError error(Supplier<CompletionStage<?>> call) {
        return refusal(call).error();
    }

    private Table orders() {
        await(tables.createTable(ACCOUNT, ORDERS));
        return await(tables.table(ACCOUNT, ORDERS));
    }

    private static EntityKey key(String partitionKey, String rowKey) {
        return new EntityKey(partitionKey, rowKey);
    }

    private static byte[] row(int number) {
        return new RowBuilder().put("N", new EdmValue.Int32(number)).build();
    }

    private static Filter pk(String value) {
        return Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text(value));
    }

    private static Filter rk(String value) {
        return Filter.compare(Filter.ROW_KEY, Operator.EQ, new EdmValue.Text(value));
    }

    private static EntityQuery query(Filter filter, int top) {
        return new EntityQuery(filter, Filter.ALL, List.of(), top, Optional.empty());
    }

    private long insert(Table table, String partitionKey, String rowKey, int number) {
        return await(tables.transact(table, List.of(EntityWrite.insert(key(partitionKey, rowKey), row(number)))));
    }

    // Tables.

    @Test
    void tables_of_the_service_are_made_by_it_alone_and_not_listed() {
        TableName metrics = new TableName("$MetricsHourPrimaryTransactionsTable");
        orders();
        assertThat(error(() -> tables.createTable(ACCOUNT, metrics))).isEqualTo(StorageError.INVALID_RESOURCE_NAME);
        Table made = await(tables.ownTable(ACCOUNT, metrics));
        assertThat(await(tables.ownTable(ACCOUNT, metrics))).isEqualTo(made);
        assertThat(await(tables.findTable(ACCOUNT, metrics))).contains(made);
        assertThat(error(() -> tables.deleteTable(ACCOUNT, metrics)))
                .isEqualTo(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        assertThat(error(() -> tables.setPolicies(ACCOUNT, metrics, List.of())))
                .isEqualTo(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        for (Optional<String> from : List.of(Optional.<String>empty(), Optional.of("$"))) {
            assertThat(await(tables.queryTables(ACCOUNT, Filter.ALL, 10, from)).items())
                    .containsExactly("Orders");
        }
    }

    @Test
    void policies_are_set_on_a_table_that_is_there() {
        AccessPolicy policy = new AccessPolicy("readers", OptionalLong.of(5), OptionalLong.empty(), Optional.of("r"));
        assertThat(error(() -> tables.setPolicies(ACCOUNT, ORDERS, List.of(policy))))
                .isEqualTo(StorageError.RESOURCE_NOT_FOUND);
        orders();
        await(tables.setPolicies(ACCOUNT, ORDERS, List.of(policy)));
        assertThat(await(tables.table(ACCOUNT, ORDERS)).policies()).containsExactly(policy);
    }

    @Test
    void a_table_is_found_by_its_name_in_any_case_and_spelled_as_it_was_made() {
        orders();
        assertThat(await(tables.table(ACCOUNT, new TableName("oRDERS"))).name()).isEqualTo(ORDERS);
        assertThat(await(tables.findTable(ACCOUNT, new TableName("other")))).isEmpty();
        assertThat(error(() -> tables.table("other", ORDERS))).isEqualTo(StorageError.TABLE_NOT_FOUND);
    }

    @Test
    void a_name_is_taken_once_whatever_its_case() {
        orders();
        assertThat(error(() -> tables.createTable(ACCOUNT, new TableName("ORDERS"))))
                .isEqualTo(StorageError.TABLE_ALREADY_EXISTS);
    }

    @Test
    void a_table_made_again_has_none_of_the_old_rows() {
        Table old = orders();
        insert(old, "p", "r", 1);
        await(tables.deleteTable(ACCOUNT, ORDERS));
        assertThat(error(() -> tables.table(ACCOUNT, ORDERS))).isEqualTo(StorageError.TABLE_NOT_FOUND);
        Table table = orders();
        assertThat(table.id()).isNotEqualTo(old.id());
        assertThat(await(tables.read(table.key(key("p", "r"))))).isEmpty();
        assertThat(error(() -> tables.deleteTable(ACCOUNT, new TableName("missing"))))
                .isEqualTo(StorageError.RESOURCE_NOT_FOUND);
    }

    @Test
    void a_name_is_free_while_the_rows_of_its_last_table_are_still_reclaimed() {
        Table old = orders();
        insert(old, "p", "r", 1);
        Runnable reclaim = engine.delayNext(Call.DROP);
        await(tables.deleteTable(ACCOUNT, ORDERS));
        Table table = orders();
        insert(table, "p", "r", 2);
        reclaim.run();
        assertThat(await(tables.read(table.key(key("p", "r"))))).isPresent();
        assertThat(await(tables.read(old.key(key("p", "r"))))).isEmpty();
    }

    @Test
    void writing_to_a_table_dropped_in_between_finds_no_table() {
        Table table = orders();
        await(tables.deleteTable(ACCOUNT, ORDERS));
        assertThat(refusal(() -> tables.transact(table, List.of(EntityWrite.insert(key("p", "r"), row(1)))))
                        .error())
                .isEqualTo(StorageError.TABLE_NOT_FOUND);
    }

    @Test
    void tables_are_listed_by_folded_name_page_by_page() {
        List<String> names = List.of("Delta", "alpha", "Charlie", "bravo", "echo");
        names.forEach(name -> await(tables.createTable(ACCOUNT, new TableName(name))));
        await(tables.createTable("other", new TableName("alien")));
        for (int top = 1; top <= 6; top++) {
            List<String> listed = new ArrayList<>();
            Optional<String> from = Optional.empty();
            do {
                Page<String, String> page = await(tables.queryTables(ACCOUNT, Filter.ALL, top, from));
                assertThat(page.items()).hasSizeLessThanOrEqualTo(top);
                listed.addAll(page.items());
                from = page.next();
            } while (from.isPresent());
            assertThat(listed).containsExactly("alpha", "bravo", "Charlie", "Delta", "echo");
        }
        assertThat(await(tables.queryTables(ACCOUNT, Filter.ALL, 0, Optional.empty())))
                .isEqualTo(Page.empty());
    }

    @Test
    void table_names_are_filtered_without_case_and_other_properties_match_nothing() {
        List.of("Delta", "alpha", "Charlie", "bravo")
                .forEach(name -> await(tables.createTable(ACCOUNT, new TableName(name))));
        assertThat(names(name(Operator.EQ, "CHARLIE"))).containsExactly("Charlie");
        assertThat(names(Filter.and(List.of(name(Operator.GE, "B"), name(Operator.LT, "d")))))
                .containsExactly("bravo", "Charlie");
        assertThat(names(Filter.not(name(Operator.EQ, "alpha")))).containsExactly("bravo", "Charlie", "Delta");
        assertThat(names(Filter.or(List.of(name(Operator.EQ, "delta"), name(Operator.EQ, "nothing")))))
                .containsExactly("Delta");
        assertThat(names(Filter.compare("Other", Operator.NE, new EdmValue.Text("x"))))
                .isEmpty();
        assertThat(names(Filter.compare(TableService.TABLE_NAME, Operator.EQ, new EdmValue.Int32(1))))
                .isEmpty();
    }

    private static Filter name(Operator operator, String value) {
        return Filter.compare(TableService.TABLE_NAME, operator, new EdmValue.Text(value));
    }

    private List<String> names(Filter filter) {
        return await(tables.queryTables(ACCOUNT, filter, 1000, Optional.empty()))
                .items();
    }

    // Writes.

    @Test
    void each_kind_of_write_meets_its_condition_or_is_refused_with_its_code() {
        Table table = orders();
        long version = insert(table, "p", "r", 1);
        EntityKey present = key("p", "r");
        EntityKey absent = key("p", "absent");
        Precondition stale = Precondition.versionEquals(version - 1);
        assertRefused(table, EntityWrite.insert(present, row(2)), StorageError.ENTITY_ALREADY_EXISTS);
        assertRefused(
                table, EntityWrite.replace(absent, row(2), Precondition.PRESENT), StorageError.RESOURCE_NOT_FOUND);
        assertRefused(table, EntityWrite.merge(absent, row(2), Precondition.PRESENT), StorageError.RESOURCE_NOT_FOUND);
        assertRefused(table, EntityWrite.delete(absent, Precondition.PRESENT), StorageError.RESOURCE_NOT_FOUND);
        assertRefused(table, EntityWrite.delete(absent, stale), StorageError.RESOURCE_NOT_FOUND);
        assertRefused(table, EntityWrite.replace(present, row(2), stale), StorageError.UPDATE_CONDITION_NOT_SATISFIED);
        assertRefused(table, EntityWrite.merge(present, row(2), stale), StorageError.UPDATE_CONDITION_NOT_SATISFIED);
        assertRefused(table, EntityWrite.delete(present, stale), StorageError.UPDATE_CONDITION_NOT_SATISFIED);
        assertThat(Rows.version(await(tables.read(table.key(present))).orElseThrow()))
                .isEqualTo(version);

        long next = await(tables.transact(
                table, List.of(EntityWrite.replace(present, row(3), Precondition.versionEquals(version)))));
        assertThat(next).isGreaterThan(version);
        await(tables.transact(table, List.of(EntityWrite.insertOrMerge(absent, row(4)))));
        await(tables.transact(table, List.of(EntityWrite.insertOrReplace(present, row(5)))));
        assertThat(number(table, present)).isEqualTo(5);
        assertThat(number(table, absent)).isEqualTo(4);
        await(tables.transact(table, List.of(EntityWrite.delete(present, Precondition.PRESENT))));
        assertThat(await(tables.read(table.key(present)))).isEmpty();
    }

    private void assertRefused(Table table, EntityWrite write, StorageError error) {
        StorageException refusal = refusal(() -> tables.transact(table, List.of(write)));
        assertThat(refusal.error()).isEqualTo(error);
        assertThat(refusal.operation()).hasValue(0);
    }

    private int number(Table table, EntityKey key) {
        RowReader reader =
                new RowReader().reset(await(tables.read(table.key(key))).orElseThrow());
        assertThat(reader.next()).isTrue();
        return reader.int32();
    }

    @Test
    void a_transaction_applies_wholly_or_names_the_operation_at_fault() {
        Table table = orders();
        insert(table, "p", "taken", 1);
        StorageException refusal = refusal(() -> tables.transact(
                table,
                List.of(
                        EntityWrite.insert(key("p", "a"), row(1)),
                        EntityWrite.insertOrReplace(key("p", "b"), row(2)),
                        EntityWrite.insert(key("p", "taken"), row(3)))));
        assertThat(refusal.error()).isEqualTo(StorageError.ENTITY_ALREADY_EXISTS);
        assertThat(refusal.operation()).hasValue(2);
        assertThat(await(tables.read(table.key(key("p", "a"))))).isEmpty();
        assertThat(number(table, key("p", "taken"))).isEqualTo(1);

        long version = await(tables.transact(
                table, List.of(EntityWrite.insert(key("p", "a"), row(1)), EntityWrite.insert(key("p", "b"), row(2)))));
        assertThat(Rows.version(await(tables.read(table.key(key("p", "a")))).orElseThrow()))
                .isEqualTo(version);
        assertThat(Rows.version(await(tables.read(table.key(key("p", "b")))).orElseThrow()))
                .isEqualTo(version);
    }

    @Test
    void a_transaction_has_one_partition_one_write_for_a_row_and_at_most_100_writes() {
        Table table = orders();
        List<EntityWrite> hundred = new ArrayList<>(IntStream.range(0, 100)
                .mapToObj(i -> EntityWrite.insert(key("p", "r" + i), row(i)))
                .toList());
        await(tables.transact(table, hundred));
        hundred.add(EntityWrite.insert(key("q", "r0"), row(0)));
        assertRefusedAt(99, StorageError.INVALID_INPUT, table, hundred);
        assertRefusedAt(
                1,
                StorageError.COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS,
                table,
                List.of(EntityWrite.insert(key("a", "1"), row(1)), EntityWrite.insert(key("b", "1"), row(1))));
        assertRefusedAt(
                2,
                StorageError.INVALID_DUPLICATE_ROW,
                table,
                List.of(
                        EntityWrite.insert(key("a", "1"), row(1)),
                        EntityWrite.insert(key("a", "2"), row(1)),
                        EntityWrite.delete(key("a", "1"), Precondition.NONE)));
    }

    private void assertRefusedAt(int index, StorageError error, Table table, List<EntityWrite> writes) {
        StorageException refusal = refusal(() -> tables.transact(table, writes));
        assertThat(refusal.error()).isEqualTo(error);
        assertThat(refusal.operation()).hasValue(index);
    }

    @Test
    void entities_are_limited_in_properties_and_size_also_by_merging() {
        Table table = orders();
        assertRefusedAt(
                1,
                StorageError.TOO_MANY_PROPERTIES,
                table,
                List.of(
                        EntityWrite.insert(key("p", "a"), row(1)),
                        EntityWrite.insert(key("p", "b"), properties("P", 253))));
        await(tables.transact(table, List.of(EntityWrite.insert(key("p", "r"), properties("P", 252)))));
        assertRefusedAt(
                0,
                StorageError.TOO_MANY_PROPERTIES,
                table,
                List.of(EntityWrite.merge(key("p", "r"), properties("Q", 1), Precondition.PRESENT)));
        await(tables.transact(table, List.of(EntityWrite.insertOrMerge(key("p", "r"), properties("P", 200)))));

        assertRefusedAt(
                0,
                StorageError.ENTITY_TOO_LARGE,
                table,
                List.of(EntityWrite.insertOrReplace(key("p", "big"), texts("T", 16))));
        await(tables.transact(table, List.of(EntityWrite.insertOrReplace(key("p", "big"), texts("T", 15)))));
        assertRefusedAt(
                1,
                StorageError.ENTITY_TOO_LARGE,
                table,
                List.of(
                        EntityWrite.insert(key("p", "small"), row(1)),
                        EntityWrite.insertOrMerge(key("p", "big"), texts("U", 1))));
    }

    @Test
    void both_keys_count_to_the_size_of_an_entity_to_the_last_unit() {
        Table table = orders();
        String partitionKey = "p".repeat(400);
        String rowKey = "r".repeat(300);
        // A row has 4 bytes, a text 12 besides its name, and every unit two.
        int texts = 15;
        int names = 10 * "T0".length() + 5 * "T10".length() + "Rest".length();
        int bytes = 4 + 2 * (400 + 300) + 12 * (texts + 1) + 2 * (texts * Limits.STRING_UNITS_MAX + names);
        RowBuilder row = new RowBuilder();
        putTexts(row, "T", texts);
        row.put("Rest", new EdmValue.Text("x".repeat((Limits.ENTITY_BYTES_MAX - bytes) / 2)));
        byte[] largest = row.build();
        await(tables.transact(table, List.of(EntityWrite.insert(key(partitionKey, rowKey), largest))));
        for (EntityKey longer : List.of(key(partitionKey + "p", rowKey), key(partitionKey, rowKey + "r"))) {
            assertRefusedAt(
                    0, StorageError.ENTITY_TOO_LARGE, table, List.of(EntityWrite.insertOrReplace(longer, largest)));
        }
    }

    private static byte[] properties(String prefix, int count) {
        RowBuilder row = new RowBuilder();
        IntStream.range(0, count).forEach(i -> row.put(prefix + i, new EdmValue.Bool(true)));
        return row.build();
    }

    private static byte[] texts(String prefix, int count) {
        RowBuilder row = new RowBuilder();
        putTexts(row, prefix, count);
        return row.build();
    }

    private static void putTexts(RowBuilder row, String prefix, int count) {
        EdmValue text = new EdmValue.Text("x".repeat(Limits.STRING_UNITS_MAX));
        IntStream.range(0, count).forEach(i -> row.put(prefix + i, text));
    }

    @Test
    void an_overloaded_engine_is_a_busy_server_and_other_trouble_is_passed_on() {
        Table table = orders();
        engine.failNext(Call.READ, EngineException.Kind.OVERLOADED);
        assertThat(error(() -> tables.read(table.key(key("p", "r"))))).isEqualTo(StorageError.SERVER_BUSY);
        engine.failNext(Call.COMMIT, EngineException.Kind.OVERLOADED);
        assertThat(error(() -> tables.transact(table, List.of(EntityWrite.insert(key("p", "r"), row(1))))))
                .isEqualTo(StorageError.SERVER_BUSY);
        engine.failNext(Call.SCAN, EngineException.Kind.UNAVAILABLE);
        assertThat(tables.query(table, query(Filter.ALL, 1)).toCompletableFuture())
                .isCompletedExceptionally()
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(EngineException.class);
    }

    @Test
    void a_full_disk_is_told_to_the_caller_in_a_sentence() {
        Table table = orders();
        engine.failNext(Call.COMMIT, EngineException.Kind.FULL);
        assertThat(tables.transact(table, List.of(EntityWrite.insert(key("p", "r"), row(1))))
                        .toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(StorageException.class, answer -> {
                    assertThat(answer.error()).isEqualTo(StorageError.SERVER_BUSY);
                    assertThat(answer.text()).contains("disk", "full", "room");
                });
    }

    // Queries.

    @Test
    void a_point_is_read_not_scanned() {
        Table table = orders();
        insert(table, "p", "r", 1);
        Filter point = Filter.and(List.of(pk("p"), rk("r")));
        engine.failNext(Call.SCAN, EngineException.Kind.UNAVAILABLE);
        EntityPage page = await(tables.query(table, query(point, 1000)));
        assertThat(page.rows().size()).isEqualTo(1);
        assertThat(page.rows().examined()).isEqualTo(1);
        assertThat(page.next()).isEmpty();
        Filter other = Filter.and(List.of(point, Filter.compare("N", Operator.EQ, new EdmValue.Int32(2))));
        assertThat(await(tables.query(table, query(other, 1000))).rows().size()).isZero();
        Filter missing = Filter.and(List.of(pk("p"), rk("missing")));
        assertThat(await(tables.query(table, query(missing, 1000))).rows().examined())
                .isZero();
    }

    @Test
    void a_continuation_past_a_point_finds_nothing_and_at_or_before_it_finds_the_row() {
        Table table = orders();
        insert(table, "p", "r", 1);
        Filter point = Filter.and(List.of(pk("p"), rk("r")));
        assertThat(sizeFrom(table, point, "p", Optional.of("r"))).isEqualTo(1);
        assertThat(sizeFrom(table, point, "p", Optional.of("q"))).isEqualTo(1);
        assertThat(sizeFrom(table, point, "p", Optional.empty())).isEqualTo(1);
        assertThat(sizeFrom(table, point, "p", Optional.of("s"))).isZero();
        assertThat(sizeFrom(table, point, "q", Optional.empty())).isZero();
    }

    private int sizeFrom(Table table, Filter filter, String partitionKey, Optional<String> rowKey) {
        Optional<EntityQuery.Continuation> from = Optional.of(new EntityQuery.Continuation(partitionKey, rowKey));
        return await(tables.query(table, new EntityQuery(filter, Filter.ALL, List.of(), 1000, from)))
                .rows()
                .size();
    }

    @Test
    void top_zero_asks_for_nothing_and_gets_no_continuation() {
        Table table = orders();
        insert(table, "p", "r", 1);
        engine.failNext(Call.SCAN, EngineException.Kind.UNAVAILABLE);
        EntityPage page = await(tables.query(table, query(Filter.ALL, 0)));
        assertThat(page.rows().size()).isZero();
        assertThat(page.next()).isEmpty();
    }

    @Test
    void a_page_ends_after_four_mebibytes() {
        Table table = orders();
        for (int i = 0; i < 6; i++) {
            await(tables.transact(table, List.of(EntityWrite.insert(key("p", "r" + i), big()))));
        }
        EntityPage page = await(tables.query(table, query(Filter.ALL, 1000)));
        assertThat(page.rows().stopReason()).isEqualTo(StopReason.BYTE_LIMIT);
        assertThat(page.next()).contains(new EntityQuery.Continuation("p", Optional.of("r4")));
    }

    private static byte[] big() {
        RowBuilder row = new RowBuilder();
        EdmValue bytes = new EdmValue.Binary(new byte[Limits.BINARY_BYTES_MAX]);
        IntStream.range(0, 15).forEach(i -> row.put("B" + i, bytes));
        return row.build();
    }

    static LongStream seeds() {
        return Gen.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void pages_joined_are_one_scan_within_the_scope(long seed) {
        Gen gen = new Gen(seed);
        Table table = orders();
        for (int i = 0; i < 120; i++) {
            String partitionKey = legal(gen.keyText());
            String rowKey = legal(gen.keyText());
            await(tables.transact(table, List.of(EntityWrite.insertOrReplace(key(partitionKey, rowKey), gen.row()))));
        }
        for (int i = 0; i < 60; i++) {
            Filter filter = gen.filter(3);
            Filter scope = gen.chance(50) ? Filter.ALL : gen.filter(2);
            List<String> all = new ArrayList<>();
            collect(
                    table,
                    new EntityQuery(Filter.ALL, Filter.and(List.of(filter, scope)), List.of(), 1000, Optional.empty()),
                    all);
            List<String> joined = new ArrayList<>();
            Optional<EntityQuery.Continuation> from = Optional.empty();
            do {
                int top = 1 + gen.below(20);
                int before = joined.size();
                from = collect(table, new EntityQuery(filter, scope, List.of(), top, from), joined);
                assertThat(joined.size() - before).isLessThanOrEqualTo(top);
            } while (from.isPresent());
            assertThat(joined).as("%s within %s", filter, scope).isEqualTo(all).doesNotHaveDuplicates();
        }
    }

    private static String legal(String key) {
        return key.codePoints()
                .filter(c -> c > 0x1F && (c < 0x7F || c > 0x9F) && (c < 0xD800 || c > 0xDFFF))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private Optional<EntityQuery.Continuation> collect(Table table, EntityQuery query, List<String> keys) {
        EntityPage page = await(tables.query(table, query));
        for (int i = 0; i < page.rows().size(); i++) {
            keys.add(page.rows().key(i).toString());
        }
        return page.next();
    }
}
