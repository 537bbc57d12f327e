package dev.trestle.server.blob;

import static dev.trestle.server.codec.Refusals.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.TagExpression;
import dev.trestle.blob.TagExpression.Comparison;
import dev.trestle.blob.TagQuery;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagParserTest {
    private static final Map<String, String> TAGS = Map.of("Status", "Done", "Rank", "050", "tag 1", "a+b:c/d");

    private static TagExpression.Test test(String key, Comparison comparison, String value) {
        return new TagExpression.Test(key, comparison, value);
    }

    private static boolean holds(String condition) {
        return TagParser.condition("x-ms-if-tags", condition).matches(TAGS);
    }

    @Test
    void a_query_is_a_chain_of_comparisons_in_one_container_or_all() {
        assertThat(TagParser.query("tag1='firsttag' and \"tag 2\" >= '1' AND \"tag 2\"<'2'", false))
                .isEqualTo(new TagQuery(
                        Optional.empty(),
                        List.of(
                                test("tag1", Comparison.EQUAL, "firsttag"),
                                test("tag 2", Comparison.GREATER_OR_EQUAL, "1"),
                                test("tag 2", Comparison.LESS, "2"))));
        assertThat(TagParser.query("@container = 'videos' AND \"k\" > ''", false))
                .isEqualTo(new TagQuery(Optional.of("videos"), List.of(test("k", Comparison.GREATER, ""))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"Status\" = 'Done'",
                "Status='Done'",
                "\"Status\" <> 'Open'",
                "\"Missing\" <> 'Done'",
                "\"Rank\" >= '050' AND \"Rank\" < '100'",
                "\"Status\" = 'Open' OR \"Rank\" > '010'",
                "\"Status\" = 'Done' OR \"Rank\" = '1' AND \"Rank\" = '2'",
                "(\"Status\" = 'Open' OR \"Rank\" <= '050') and \"tag 1\" = 'a+b:c/d'",
                "((\"Status\" = 'Done'))",
            })
    void a_condition_that_holds(String condition) {
        assertThat(holds(condition)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"status\" = 'Done'",
                "\"Status\" = 'done'",
                "\"Missing\" >= ''",
                "(\"Status\" = 'Done' OR \"Rank\" = '1') AND \"Rank\" = '2'",
                "\"Rank\" > '050'",
            })
    void a_condition_that_does_not_hold(String condition) {
        assertThat(holds(condition)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`Year = '2021'` | `at or near character position 1: unexpected 'Year'`",
                "`\"k\" = 'v' AND Month = '1'` | `at or near character position 15: unexpected 'Month'`",
                "`\"k\" = 'v' OR \"k\" = 'w'` | `at or near character position 11: unexpected 'OR'`",
                "`\"k\" <> 'v'` | `at or near character position 5: unexpected '<>'`",
                "`'k' = 'v'` | `at or near character position 1: unexpected 'k'`",
                "`\"k\" = \"v\"` | `at or near character position 7: expecting tag value`",
                "`\"k\" = ` | `at or near character position 7: expecting tag value`",
                "`\"k\"` | `at or near character position 4: expected an operator`",
                "`\"k\" = 'v' \"l\" = 'w'` | `at or near character position 11: unexpected 'l'`",
                "`@other = 'v' AND \"k\" = 'v'` | `at or near character position 1: unsupported parameter '@other'`",
                "`@container > 'v' AND \"k\" = 'v'` | `at or near character position 12: unexpected '>'`",
                "`\"k#\" = 'v'` | `at or near character position 1: '#' not permitted in tag name or value`",
                "`\"k\" = 'v,w'` | `at or near character position 7: ',' not permitted in tag name or value`",
                "`\"\" = 'v'` | `at or near character position 1: tag must be between 1 and 128 characters in length`",
                "`@container = 'c'` | `: there must be at least one tag in a query`",
                "`\"k\" > '1' AND \"k\" >= '2'` | `: can't have multiple conditions for a single tag unless they define a range`",
                "`\"k\" = '1' AND \"k\" < '2'` | `: can't have multiple conditions for a single tag unless they define a range`",
            })
    void a_query_that_is_none_is_refused_where_it_goes_wrong(String where, String message) {
        StorageException refusal = refusalOf(() -> TagParser.query(where, false));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        String between = message.startsWith(":") ? "" : " ";
        assertThat(refusal.text()).isEqualTo("Error parsing query" + between + message);
        assertThat(refusal.details()).isEqualTo(Map.of("QueryParameterName", "where", "QueryParameterValue", where));
    }

    @Test
    void a_query_in_a_container_names_no_other() {
        assertThat(refusalOf(() -> TagParser.query("@container='c' AND k='v'", true))
                        .text())
                .isEqualTo("Error parsing query: Cannot have container in both uri and query");
    }

    @Test
    void a_query_has_ten_tags_at_most() {
        assertThat(TagParser.query(chain(10), false).tests()).hasSize(10);
        assertThat(refusalOf(() -> TagParser.query(chain(11), false)).text())
                .isEqualTo("Error parsing query: there can be at most 10 unique tags in a query");
    }

    private static String chain(int keys) {
        return IntStream.range(0, keys).mapToObj(i -> "k" + i + "='v'").collect(Collectors.joining(" AND "));
    }

    @Test
    void keys_and_values_have_the_lengths_that_tags_have() {
        assertThat(TagParser.query("k='" + "v".repeat(256) + "'", false).tests())
                .hasSize(1);
        assertThat(refusalOf(() -> TagParser.query("k='" + "v".repeat(257) + "'", false))
                        .text())
                .endsWith("position 3: tag value must be between 0 and 256 characters in length");
        assertThat(refusalOf(() -> TagParser.query("k".repeat(129) + "='v'", false))
                        .text())
                .endsWith("position 1: tag must be between 1 and 128 characters in length");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Status",
                "\"Status\" == 'Done'",
                "\"Status\" = 'Done",
                "\"Status\" = 'Done' AND",
                "(\"Status\" = 'Done'",
                "\"Status\" = 'Done')",
                "@container = 'c' AND \"Status\" = 'Done'",
                "NOT \"Status\" = 'Done'",
            })
    void a_condition_that_is_none_is_refused_with_the_header(String condition) {
        StorageException refusal = refusalOf(() -> TagParser.condition("x-ms-if-tags", condition));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_HEADER_VALUE);
        assertThat(refusal.details()).isEqualTo(Map.of("HeaderName", "x-ms-if-tags", "HeaderValue", condition));
    }

    @Test
    void parentheses_are_nested_only_so_deep() {
        assertThat(holds("(".repeat(32) + "Status='Done'" + ")".repeat(32))).isTrue();
        assertThat(refusalOf(() -> holds("(".repeat(33) + "Status='Done'" + ")".repeat(33)))
                        .error())
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }
}
