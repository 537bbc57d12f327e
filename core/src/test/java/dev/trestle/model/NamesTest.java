package dev.trestle.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static void assertRefused(StorageError error, String text, ThrowingCallable call) {
        assertThatThrownBy(call).asInstanceOf(type(StorageException.class)).satisfies(refusal -> {
            assertThat(refusal.error()).isEqualTo(error);
            assertThat(refusal.text()).isEqualTo(text);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "A12", "z9999", "Tables1", "tablesX", "ZzAa09", "aZ0"})
    void letters_and_digits_make_a_table_name(String name) {
        assertThat(new TableName(name)).hasToString(name);
    }

    @Test
    void a_table_name_keeps_its_case_and_folds_for_comparison() {
        assertThat(new TableName("OrDers1").value()).isEqualTo("OrDers1");
        assertThat(new TableName("OrDers1").folded()).isEqualTo("orders1");
    }

    @Test
    void tables_of_metrics_are_of_the_service() {
        assertThat(new TableName("$MetricsHourPrimaryTransactionsBlob").isOfTheService())
                .isTrue();
        assertThat(new TableName("MetricsHour").isOfTheService()).isFalse();
        assertThatThrownBy(() -> new TableName("$Metrics-Hour")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> new TableName("$MetricsHour$")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> new TableName("$Other")).isInstanceOf(StorageException.class);
    }

    @Test
    void a_table_name_has_3_to_63_characters() {
        String text = "The specified resource name length is not within the permissible limits.";
        assertThat(new TableName("a".repeat(63)).value()).hasSize(63);
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new TableName("ab"));
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new TableName("a".repeat(64)));
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new TableName(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1abc",
                "abc/",
                "abc:",
                "abc@",
                "abc[",
                "abc`",
                "abc{",
                "a-bc",
                "a_bc",
                "ab\u00E9",
                "a bc",
                "$Metrics",
                "tables",
                "TABLES",
                "abc\n",
                "ab\u0661"
            })
    void anything_else_in_a_table_name_is_refused(String name) {
        assertRefused(
                StorageError.INVALID_RESOURCE_NAME,
                "The specifed resource name contains invalid characters.",
                () -> new TableName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0-9", "a-z", "a-b-c", "123", "jobs-poison"})
    void small_letters_digits_and_single_hyphens_make_a_queue_name(String name) {
        assertThat(new QueueName(name)).hasToString(name);
    }

    @Test
    void a_queue_name_has_3_to_63_characters() {
        String text = "The specified resource name length is not within the permissible limits.";
        assertThat(new QueueName("a".repeat(63)).value()).hasSize(63);
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new QueueName("ab"));
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new QueueName("a".repeat(64)));
        assertRefused(StorageError.OUT_OF_RANGE_INPUT, text, () -> new QueueName(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Abc",
                "abC",
                "ab/",
                "ab:",
                "ab`",
                "ab{",
                "-abc",
                "abc-",
                "a--b",
                "---",
                "a_bc",
                "a.bc",
                "ab\u00E9",
                "a bc",
                "a/bc",
                "abc\n"
            })
    void anything_else_in_a_queue_name_is_refused(String name) {
        assertRefused(
                StorageError.INVALID_RESOURCE_NAME,
                "The specifed resource name contains invalid characters.",
                () -> new QueueName(name));
    }

    @Test
    void keys_may_be_empty_and_hold_what_is_not_forbidden() {
        assertThat(new EntityKey("", "")).hasToString("('','')");
        assertThat(new EntityKey("it's", "\u00E9 \uD83D\uDE00%+&")).hasToString("('it''s','\u00E9 \uD83D\uDE00%+&')");
        assertThat(new EntityKey("k".repeat(512), "").partitionKey()).hasSize(512);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDE00", "a\uD83Db", "\uDE00\uD83D", "\uD83D\uDE00\uDE00"})
    void half_a_character_is_refused_because_no_address_can_name_it(String key) {
        assertRefused(
                StorageError.OUT_OF_RANGE_INPUT,
                "The 'RowKey' parameter of value '" + key + "' is out of range.",
                () -> new EntityKey("p", key));
    }

    @ParameterizedTest
    @ValueSource(chars = {'/', '\\', '#', '?', 0, 0x1F, 0x7F, 0x80, 0x9F, '\t', '\n'})
    void a_forbidden_character_names_the_key_it_is_in(char c) {
        assertRefused(
                StorageError.OUT_OF_RANGE_INPUT,
                "The 'PartitionKey' parameter of value 'a" + c + "' is out of range.",
                () -> new EntityKey("a" + c, "r"));
        assertRefused(
                StorageError.OUT_OF_RANGE_INPUT,
                "The 'RowKey' parameter of value '" + c + "b' is out of range.",
                () -> new EntityKey("p", c + "b"));
    }

    @ParameterizedTest
    @ValueSource(chars = {' ', '~', 0xA0, '\'', '"', '%', '+'})
    void neighbours_of_forbidden_characters_are_allowed(char c) {
        assertThat(new EntityKey("" + c, "" + c).rowKey()).isEqualTo("" + c);
    }

    @Test
    void a_key_has_at_most_512_code_units() {
        assertRefused(
                StorageError.PROPERTY_VALUE_TOO_LARGE,
                StorageError.PROPERTY_VALUE_TOO_LARGE.message(),
                () -> new EntityKey("p", "k".repeat(513)));
    }

    @Test
    void an_entity_tag_is_the_version_with_its_colons_escaped() {
        long version = Ticks.parse("2026-03-02T10:00:00.1234567Z").orElseThrow();
        assertThat(ETag.format(version)).isEqualTo("W/\"datetime'2026-03-02T10%3A00%3A00.1234567Z'\"");
        assertThat(ETag.parse(ETag.format(version))).isEqualTo(version);
        assertThat(ETag.parse("W/\"datetime'2026-03-02T10:00:00.1234567Z'\"")).isEqualTo(version);
        assertThat(ETag.parse("W/\"datetime'2026-03-02T10%3a00%3a00.1234567Z'\""))
                .isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"W/\"0x5B168C7B6E589D2\"", "W/\"\"", "W/\"datetime'\"", "W/\"datetime''\"", "W/\"datetime'x'\""})
    void a_weak_tag_of_another_make_matches_nothing(String tag) {
        assertThat(ETag.parse(tag)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "\"strong\"", "W/\"", "W/x", "W/\"a", "w/\"a\"", "W/ \"a\""})
    void what_is_no_weak_tag_is_refused_by_name(String tag) {
        assertRefused(
                StorageError.INVALID_INPUT,
                "The etag value '" + tag
                        + "' specified in one of the request headers is not valid. Please make sure only"
                        + " one etag value is specified and is valid.",
                () -> ETag.parse(tag));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVER_BUSY,OVERLOAD",
        "INTERNAL_ERROR,SERVER",
        "OPERATION_TIMED_OUT,SERVER",
        "INVALID_INPUT,CALLER",
        "NOT_IMPLEMENTED,CALLER"
    })
    void an_error_says_who_has_to_act(StorageError error, StorageError.Category category) {
        assertThat(error.category()).isEqualTo(category);
    }

    @Test
    void an_exception_keeps_its_sentence_when_it_is_given_an_index() {
        StorageException refusal = new StorageException(StorageError.INVALID_INPUT, "No.");
        assertThat(refusal.operation()).isEmpty();
        assertThat(refusal.at(7).operation()).hasValue(7);
        assertThat(refusal.at(7).text()).isEqualTo("No.");
        assertThat(refusal.at(7).error()).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void types_are_found_by_their_names_and_codes() {
        for (EdmType type : EdmType.values()) {
            assertThat(EdmType.ofWireName(type.wireName())).contains(type);
            assertThat(EdmType.ofCode(type.code())).isEqualTo(type);
        }
        assertThat(EdmType.ofWireName("Edm.Byte")).isEmpty();
        assertThatThrownBy(() -> EdmType.ofCode(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> EdmType.ofCode(-1)).isInstanceOf(IllegalStateException.class);
    }
}
