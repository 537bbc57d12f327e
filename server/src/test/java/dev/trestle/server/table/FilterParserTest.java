package dev.trestle.server.table;

import static dev.trestle.server.codec.Refusals.errorOf;
import static dev.trestle.server.codec.Refusals.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import dev.trestle.plan.Planner;
import dev.trestle.testkit.Gen;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterParserTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    static Stream<Arguments> literals() {
        return Stream.of(
                Arguments.of("'it''s'", new EdmValue.Text("it's")),
                Arguments.of("''", new EdmValue.Text("")),
                Arguments.of("''''", new EdmValue.Text("'")),
                Arguments.of("'\u00E9\uD83D\uDE00 and ('", new EdmValue.Text("\u00E9\uD83D\uDE00 and (")),
                Arguments.of("0", new EdmValue.Int32(0)),
                Arguments.of("-2147483648", new EdmValue.Int32(Integer.MIN_VALUE)),
                Arguments.of("2147483647", new EdmValue.Int32(Integer.MAX_VALUE)),
                Arguments.of("2147483648", new EdmValue.Int64(2147483648L)),
                Arguments.of("5L", new EdmValue.Int64(5)),
                Arguments.of("-5l", new EdmValue.Int64(-5)),
                Arguments.of("-9223372036854775808L", new EdmValue.Int64(Long.MIN_VALUE)),
                Arguments.of("9223372036854775808", new EdmValue.Real(0x1p63)),
                Arguments.of("0.5", new EdmValue.Real(0.5)),
                Arguments.of("-1.5E-7", new EdmValue.Real(-1.5E-7)),
                Arguments.of("1e5", new EdmValue.Real(1e5)),
                Arguments.of("1E+5", new EdmValue.Real(1e5)),
                Arguments.of("+5", new EdmValue.Int32(5)),
                Arguments.of(".5", new EdmValue.Real(0.5)),
                Arguments.of("2d", new EdmValue.Real(2)),
                Arguments.of("2.5D", new EdmValue.Real(2.5)),
                Arguments.of("NaN", new EdmValue.Real(Double.NaN)),
                Arguments.of("INF", new EdmValue.Real(Double.POSITIVE_INFINITY)),
                Arguments.of("Infinity", new EdmValue.Real(Double.POSITIVE_INFINITY)),
                Arguments.of("-INF", new EdmValue.Real(Double.NEGATIVE_INFINITY)),
                Arguments.of("-Infinity", new EdmValue.Real(Double.NEGATIVE_INFINITY)),
                Arguments.of("true", new EdmValue.Bool(true)),
                Arguments.of("false", new EdmValue.Bool(false)),
                Arguments.of("datetime'1601-01-01T00:00:00Z'", new EdmValue.DateTime(0)),
                Arguments.of("datetime'1601-01-01T00:00:01.5'", new EdmValue.DateTime(Ticks.PER_SECOND * 3 / 2)),
                Arguments.of("datetime'9999-12-31T23:59:59.9999999Z'", new EdmValue.DateTime(Ticks.MAX)),
                Arguments.of(
                        "guid'3F2504e0-4f89-11d3-9a0c-0305e82c3301'",
                        new EdmValue.Guid(0x3f2504e04f8911d3L, 0x9a0c0305e82c3301L)),
                Arguments.of("X'01aBFF'", new EdmValue.Binary(new byte[] {1, (byte) 0xAB, (byte) 0xFF})),
                Arguments.of("binary'01'", new EdmValue.Binary(new byte[] {1})),
                Arguments.of("X''", new EdmValue.Binary(new byte[0])));
    }

    @ParameterizedTest
    @MethodSource("literals")
    void a_literal_of_each_type_is_read_on_either_side(String text, EdmValue value) {
        assertThat(FilterParser.parse("Prop lt " + text)).isEqualTo(Filter.compare("Prop", Operator.LT, value));
        assertThat(FilterParser.parse(text + " lt Prop")).isEqualTo(Filter.compare("Prop", Operator.GT, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a eq 1 or b eq 2 and c eq 3 | a eq 1 or b eq 2 and c eq 3",
                "(a eq 1 or b eq 2) and c eq 3 | (a eq 1 or b eq 2) and c eq 3",
                "a eq 1 and b eq 2 or c eq 3 | a eq 1 and b eq 2 or c eq 3",
                "not a eq 1 and b eq 2 | not (a eq 1) and b eq 2",
                "not (a eq 1 and b eq 2) | not (a eq 1 and b eq 2)",
                "not(a eq 1)or(b eq 2) | not (a eq 1) or b eq 2",
                "not not a eq 1 | a eq 1",
                "not not not a eq 1 | not (a eq 1)",
                "not (not (a eq 1 or b eq 2)) or c eq 3 | a eq 1 or b eq 2 or c eq 3",
                "(((a eq 1) and (b eq 2)) and (c eq 3)) | a eq 1 and b eq 2 and c eq 3",
                "a eq 1 and (b eq 2 and (c eq 3)) | a eq 1 and b eq 2 and c eq 3",
                "(a eq 1 or b eq 2) or (c eq 3 or d eq 4) | a eq 1 or b eq 2 or c eq 3 or d eq 4",
                "(a eq 1 or b eq 2) or (c eq 3 or d eq 4 or e eq 5) | a eq 1 or b eq 2 or c eq 3 or d eq 4 or e eq 5",
                "a eq 1 or (b eq 2 or c eq 3) and d eq 4 | a eq 1 or (b eq 2 or c eq 3) and d eq 4",
                "  a   eq\t1  | a eq 1",
                "_x1 ge 'a' | _x1 ge 'a'",
                "\u00C9tat ne 1 | \u00C9tat ne 1",
                "and1 eq 1 and notx eq 2 | and1 eq 1 and notx eq 2",
                "a eq'x' | a eq 'x'",
                "true | true",
                "false and a eq 1 | false and a eq 1",
                "true and a eq 1 | a eq 1",
                "Prop | false",
                "not Prop | not (false)",
            })
    void a_filter_is_understood_as_it_prints(String text, String printed) {
        assertThat(FilterParser.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void blank_text_asks_for_everything(String text) {
        assertThat(FilterParser.parse(text)).isEqualTo(Filter.ALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "aaa bbb ccc | 7",
                "a eq | 4",
                "a eq 1 and | 10",
                "a eq 1 b eq 2 | 8",
                "(a eq 1 | 7",
                "a eq 1) | 7",
                "() | 2",
                "a eq 'x | 7",
                "a eq guid'123' | 14",
                "a eq guid'3f2504e04-f89-11d3-9a0c-0305e82c3301' | 47",
                "a eq datetime'yesterday' | 24",
                "a eq X'0' | 9",
                "a eq foo'x' | 11",
                "a eq 1x | 7",
                "a eq 1.2.3 | 10",
                "a eq - | 6",
                "a eq 1e | 7",
                "a eq 1e+ | 8",
                "a eq -INFx | 10",
                "a eq 5.0L | 9",
                "a eq 99999999999999999999L | 26",
                "a ! 1 | 3",
                "5 | 1",
                "'x' | 3",
                "a EQ 1 | 4",
            })
    void a_syntax_error_names_the_place_past_what_cannot_stand_there(String text, int position) {
        var refusal = refusalOf(() -> FilterParser.parse(text));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(refusal.text()).isEqualTo("Syntax error at position " + position + " in '" + text + "'.");
    }

    @ParameterizedTest
    @CsvSource({"lt,LessThan", "le,LessThanOrEqual", "gt,GreaterThan", "ge,GreaterThanOrEqual"})
    void null_has_no_order(String operator, String name) {
        assertThat(refusalOf(() -> FilterParser.parse("a " + operator + " null"))
                        .text())
                .isEqualTo("The operator '" + name
                        + "' is not supported for the 'null' literal; only equality checks are supported.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a eq null", "a ne null", "null eq a", "null eq null"})
    void null_is_no_input_for_equality(String text) {
        var refusal = refusalOf(() -> FilterParser.parse(text));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(refusal.text()).isEqualTo("One of the request inputs is not valid.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "startswith(a,'x')",
                "not substringof('x',a)",
                "a eq tolower('x')",
                "a eq b",
                "1 eq 2",
                "'a' lt 'b'"
            })
    void functions_and_comparisons_without_exactly_one_property_are_not_implemented(String text) {
        assertThat(errorOf(() -> FilterParser.parse(text))).isEqualTo(StorageError.NOT_IMPLEMENTED);
    }

    // Size and depth.

    static Stream<Arguments> longChains() {
        int terms = 64 * 1024 / 16;
        return Stream.of(
                Arguments.of("plain and", "a eq 1" + " and a eq 1".repeat(terms), terms + 1),
                Arguments.of("plain or", "a eq 1" + " or a eq 1".repeat(terms), terms + 1),
                Arguments.of("left-deep and", "(".repeat(terms) + "a eq 1" + ") and a eq 1".repeat(terms), terms + 1),
                Arguments.of("left-deep or", "(".repeat(terms) + "a eq 1" + ") or a eq 1".repeat(terms), terms + 1),
                Arguments.of("right-deep and", "a eq 1 and (".repeat(terms) + "a eq 1" + ")".repeat(terms), terms + 1),
                Arguments.of("right-deep or", "a eq 1 or (".repeat(terms) + "a eq 1" + ")".repeat(terms), terms + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("longChains")
    void a_long_chain_is_one_flat_connective(String name, String text, int parts) {
        Filter filter = Assertions.assertTimeoutPreemptively(SOON, () -> {
            Filter parsed = FilterParser.parse(text);
            Planner.plan(parsed);
            RowMatcher.of(parsed);
            return parsed;
        });
        List<Filter> flat = filter instanceof Filter.And and ? and.parts() : ((Filter.Or) filter).parts();
        assertThat(flat).hasSize(parts);
    }

    @Test
    void parentheses_and_negations_alone_add_no_depth() {
        String parentheses = "(".repeat(10_000) + "a eq 1" + ")".repeat(10_000);
        String negations = "not (".repeat(10_000) + "a eq 1" + ")".repeat(10_000);
        Filter comparison = Filter.compare("a", Operator.EQ, new EdmValue.Int32(1));
        assertThat(Assertions.<Filter>assertTimeoutPreemptively(SOON, () -> FilterParser.parse(parentheses)))
                .isEqualTo(comparison);
        assertThat(Assertions.<Filter>assertTimeoutPreemptively(SOON, () -> FilterParser.parse(negations)))
                .isEqualTo(comparison);
    }

    /** Each has one place, marked by a dot, where it is nested in itself. */
    static Stream<Arguments> nestings() {
        return Stream.of(
                Arguments.of("(a eq 1 and (.)) or b eq 2", 2),
                Arguments.of("a eq 1 and (b eq 2 or (.))", 2),
                Arguments.of("not (a eq 1 and (.))", 2),
                Arguments.of("not (a eq 1 and (.) or b eq 2)", 3),
                Arguments.of("(a eq 1 and b eq 2) and ((c eq 3 or d eq 4) or (.))", 2),
                Arguments.of("((c eq 3 or d eq 4) or (.)) and (a eq 1 and b eq 2)", 2),
                Arguments.of("a eq 1 and not (b eq 2) or c eq 1 and (.)", 2));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nestings")
    void what_alternates_too_often_is_refused_and_what_does_not_is_planned(String nesting, int levels)
            throws InterruptedException {
        int allowed = (Limits.FILTER_DEPTH_MAX - 1) / levels;
        Filter deep = FilterParser.parse(nested(nesting, allowed - 1));
        assertThat(depth(deep))
                .isLessThanOrEqualTo(Limits.FILTER_DEPTH_MAX)
                .isGreaterThan(Limits.FILTER_DEPTH_MAX - 2 * levels - 1);
        onSmallStack(() -> {
            assertThat(Planner.plan(deep).toString()).isNotEmpty();
            RowMatcher.of(deep).matches(Key.of(-1, "p", "r"), new RowBuilder().build());
        });
        assertThat(errorOf(() -> FilterParser.parse(nested(nesting, allowed + 2))))
                .isEqualTo(StorageError.INVALID_INPUT);
        assertThat(errorOf(() -> FilterParser.parse(nested(nesting, 1500)))).isEqualTo(StorageError.INVALID_INPUT);
    }

    /** Half of the default stack size, so that the depth limit leaves stack for callers. */
    private static void onSmallStack(Runnable work) throws InterruptedException {
        Throwable[] thrown = {null};
        Thread thread = new Thread(null, work, "small stack", 512 * 1024);
        thread.setUncaughtExceptionHandler((where, what) -> thrown[0] = what);
        thread.start();
        thread.join();
        assertThat(thrown[0]).isNull();
    }

    private static String nested(String nesting, int times) {
        int dot = nesting.indexOf('.');
        return nesting.substring(0, dot).repeat(times) + "z eq 0"
                + nesting.substring(dot + 1).repeat(times);
    }

    private static int depth(Filter filter) {
        return filter.accept(new Filter.Visitor<>() {
            @Override
            public Integer constant(boolean value) {
                return 0;
            }

            @Override
            public Integer comparison(Filter.Comparison comparison) {
                return 0;
            }

            @Override
            public Integer and(List<Filter> parts) {
                return 1
                        + parts.stream().mapToInt(FilterParserTest::depth).max().orElse(0);
            }

            @Override
            public Integer or(List<Filter> parts) {
                return and(parts);
            }

            @Override
            public Integer not(Filter part) {
                return 1 + depth(part);
            }
        });
    }

    @Test
    void text_past_the_limit_is_refused_unread() {
        assertThat(errorOf(() -> FilterParser.parse("a eq '" + "x".repeat(Limits.FILTER_UNITS_MAX) + "'")))
                .isEqualTo(StorageError.INVALID_INPUT);
    }

    static LongStream seeds() {
        return Gen.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_a_filter_prints_is_read_as_the_same_filter(long seed) {
        Gen gen = new Gen(seed);
        for (int i = 0; i < 1000; i++) {
            Filter filter = gen.filter(5);
            assertThat(FilterParser.parse(filter.toString())).as("%s", filter).isEqualTo(filter);
        }
    }
}
