package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.Gen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random filters and rows: evaluates the HBase filter on cells like a region server. */
class PushedFilterPropertyTest {
    private static final int SEEDS = 40;
    private static final int FILTERS = 60;
    private static final int ROWS = 40;
    private static final int FILTER_DEPTH = 3;
    private static final long COLLECTION = 0x0101_0101_0101_0101L;
    private static final long OTHER_COLLECTION = 0x0101_0101_0101_0102L;

    private record Stored(Key key, byte[] row, List<Cell> cells) {}

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    private static List<Stored> rows(Gen gen, List<Long> collections) {
        TreeMap<Key, Stored> rows = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            Key key = gen.key(gen.oneOf(collections));
            byte[] row = gen.row();
            Rows.stamp(row, ((EdmValue.DateTime) gen.value(EdmType.DATE_TIME)).ticks());
            rows.put(key, new Stored(key, row, cells(key, row)));
        }
        return List.copyOf(rows.values());
    }

    private static List<Cell> cells(Key key, byte[] row) {
        List<Cell> cells = new ArrayList<>();
        for (Mutation mutation : RowCells.change(key, null, row, 1, Durability.SYNC_WAL)) {
            mutation.getFamilyCellMap().values().forEach(cells::addAll);
        }
        cells.sort(CellComparator.getInstance());
        return cells;
    }

    /** Returns the cells that a region server would send; none if the filter rejects the row. */
    private static List<Cell> passed(org.apache.hadoop.hbase.filter.Filter filter, List<Cell> cells)
            throws IOException {
        filter.reset();
        if (filter.filterAllRemaining() || filter.filterRowKey(cells.get(0))) {
            return List.of();
        }
        List<Cell> sent = new ArrayList<>();
        for (Cell cell : cells) {
            ReturnCode code = filter.filterCell(cell);
            switch (code) {
                case INCLUDE, INCLUDE_AND_NEXT_COL, INCLUDE_AND_SEEK_NEXT_ROW -> sent.add(cell);
                case SKIP, NEXT_COL, NEXT_ROW -> {}
                case SEEK_NEXT_USING_HINT -> throw new AssertionError("no filter here gives hints");
            }
            if (code == ReturnCode.NEXT_ROW || code == ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW) {
                break;
            }
        }
        filter.filterRowCells(sent);
        return filter.filterRow() ? List.of() : sent;
    }

    /** Serializes and parses the filter, like a request; a region server uses one instance for all rows. */
    private static Optional<org.apache.hadoop.hbase.filter.Filter> sent(PushedFilter pushed) throws IOException {
        return pushed.filter().isPresent()
                ? Optional.of(ProtobufUtil.toFilter(
                        ProtobufUtil.toFilter(pushed.filter().get())))
                : Optional.empty();
    }

    /** Returns the columns that are read if a query selects none. */
    private static List<Cell> projected(Stored stored, PushedFilter pushed) {
        return stored.cells.stream()
                .filter(cell -> CellUtil.matchingQualifier(cell, RowCells.VERSION)
                        || pushed.columns().contains(CellUtil.cloneQualifier(cell)))
                .toList();
    }

    private static void check(Filter filter, OptionalLong collection, List<Stored> rows) throws IOException {
        RowMatcher matcher = RowMatcher.of(filter);
        PushedFilter pushed = PushedFilter.of(filter, collection);
        Optional<org.apache.hadoop.hbase.filter.Filter> asked = sent(pushed);
        for (Stored stored : rows) {
            boolean matches = matcher.matches(stored.key, stored.row);
            List<Cell> all = stored.cells;
            List<Cell> fewer = projected(stored, pushed);
            if (asked.isPresent()) {
                all = passed(asked.get(), stored.cells);
                fewer = passed(asked.get(), fewer);
            } else if (pushed.matchesNothing()) {
                all = List.of();
                fewer = List.of();
            }
            Supplier<String> what = () -> filter + " asked of " + stored.key + " " + stored.cells;
            if (matches) {
                assertThat(all).as(what).isEqualTo(stored.cells);
                assertThat(fewer).as(what).isEqualTo(projected(stored, pushed));
            }
            if (pushed.isExact()) {
                assertThat(!all.isEmpty()).as(what).isEqualTo(matches);
                assertThat(!fewer.isEmpty()).as(what).isEqualTo(matches);
            } else if (!fewer.isEmpty()) {
                byte[] row = Objects.requireNonNull(RowCells.row(Result.create(fewer)));
                assertThat(matcher.matches(stored.key, row)).as(what).isEqualTo(matches);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_row_that_matches_passes_whole_and_what_is_called_exact_lets_no_other_pass(long seed) {
        Gen.check(seed, gen -> {
            List<Stored> rows = rows(gen, List.of(COLLECTION));
            for (int i = 0; i < FILTERS; i++) {
                check(gen.filter(FILTER_DEPTH), OptionalLong.of(COLLECTION), rows);
            }
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void so_it_is_with_rows_of_several_collections(long seed) {
        Gen.check(seed, gen -> {
            List<Stored> rows = rows(gen, List.of(COLLECTION, OTHER_COLLECTION));
            for (int i = 0; i < FILTERS; i++) {
                check(gen.filter(FILTER_DEPTH), OptionalLong.empty(), rows);
            }
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void only_row_keys_are_left_to_be_asked_again(long seed) {
        Gen.check(seed, gen -> {
            for (int i = 0; i < FILTERS; i++) {
                Filter filter = gen.filter(FILTER_DEPTH);
                if (!Arrays.asList(filter.toString().split("[ ()]", -1)).contains(Filter.ROW_KEY)) {
                    assertThat(PushedFilter.of(filter, OptionalLong.of(COLLECTION))
                                    .isExact())
                            .as(filter.toString())
                            .isTrue();
                }
            }
        });
    }
}
