package dev.trestle.server.table;

import static dev.trestle.server.codec.Refusals.errorOf;
import static dev.trestle.server.codec.Refusals.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.server.table.ResourcePath.BothKeys;
import dev.trestle.server.table.ResourcePath.NoKeys;
import dev.trestle.server.table.ResourcePath.OneKey;
import dev.trestle.server.table.ResourcePath.OtherKeys;
import dev.trestle.server.table.ResourcePath.Predicate;
import dev.trestle.server.table.json.EntityUrl;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcePathTest {
    private static Arguments path(String raw, String name, Predicate predicate) {
        return Arguments.of(raw, new ResourcePath(name, Optional.of(predicate)));
    }

    private static Arguments path(String raw, String name) {
        return Arguments.of(raw, new ResourcePath(name, Optional.empty()));
    }

    static Stream<Arguments> paths() {
        return Stream.of(
                path("/", ""),
                path("", ""),
                path("//", ""),
                path("/Tables", "Tables"),
                path("/orders/", "orders"),
                path("/$batch", "$batch"),
                path("/%24batch", "$batch"),
                path("/Tables()", "Tables", new NoKeys()),
                path("/Tables('orders')", "Tables", new OneKey("orders")),
                path("/Tables(%27orders%27)", "Tables", new OneKey("orders")),
                path("/orders(PartitionKey='a',RowKey='1')", "orders", new BothKeys("a", "1")),
                path("/orders(PartitionKey='a', RowKey='1')", "orders", new BothKeys("a", "1")),
                path("/orders(PartitionKey='a',%20RowKey='1')", "orders", new BothKeys("a", "1")),
                path("/orders(RowKey='1',PartitionKey='a')", "orders", new BothKeys("a", "1")),
                path("/orders(PartitionKey='',RowKey='')", "orders", new BothKeys("", "")),
                path("/orders(PartitionKey='it''s',RowKey='%27%27')", "orders", new BothKeys("it's", "'")),
                path("/orders(PartitionKey=%27it%27%27s%27,RowKey=%27a%27)", "orders", new BothKeys("it's", "a")),
                path("/orders(PartitionKey='a+b',RowKey='a%2Bb')", "orders", new BothKeys("a+b", "a+b")),
                path("/orders(PartitionKey='a%2Fb',RowKey='c/d')", "orders", new BothKeys("a/b", "c/d")),
                path("/orders(PartitionKey='a,b',RowKey='(x)')", "orders", new BothKeys("a,b", "(x)")),
                path(
                        "/orders(PartitionKey='%C3%A9%F0%9F%98%80',RowKey='\u00C3\u00A9')",
                        "orders", new BothKeys("\u00E9\uD83D\uDE00", "\u00E9")),
                path("/orders(PartitionKey='a')", "orders", new OtherKeys()),
                path("/orders(partitionkey='a',rowkey='b')", "orders", new OtherKeys()),
                path("/orders(PartitionKey='a',PartitionKey='b')", "orders", new OtherKeys()),
                path("/orders('a','b')", "orders", new OtherKeys()),
                path("/orders(PartitionKey='a',RowKey='b')/more(x='y')", "orders", new OtherKeys()),
                path("/orders/more", "orders"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("paths")
    void a_path_has_a_name_and_perhaps_keys(String raw, ResourcePath path) {
        assertThat(ResourcePath.parse(raw)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders(", "/orders(PartitionKey='a',RowKey='b'", "/orders(PartitionKey='a)", "/orders(x)",
                        "/orders('a'x)",
                "/orders('a',)", "/orders(a'b')", "/orders('a''b)", "/orders()x", "/orders(PartitionKey='a'RowKey='b')"
            })
    void a_predicate_that_is_not_well_formed_is_refused(String raw) {
        assertThat(errorOf(() -> ResourcePath.parse(raw))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/orders('%4')", "/%FF", "/a%C3"})
    void what_is_not_percent_encoded_utf8_is_refused(String raw) {
        assertThat(errorOf(() -> ResourcePath.parse(raw))).isEqualTo(StorageError.REQUEST_URL_FAILED_TO_PARSE);
    }

    @Test
    void an_entity_needs_both_keys_and_legal_ones() {
        assertThat(ResourcePath.parse("/orders(PartitionKey='a',RowKey='1')").entityKey("acct"))
                .isEqualTo(new EntityKey("a", "1"));
        var refusal =
                refusalOf(() -> ResourcePath.parse("/orders(PartitionKey='a')").entityKey("acct"));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(refusal.text())
                .isEqualTo("The number of keys specified in the URI does not match number of key properties for the"
                        + " resource 'acct.orders'.");
        assertThat(errorOf(() -> ResourcePath.parse("/orders(PartitionKey='a%2Fb',RowKey='1')")
                        .entityKey("acct")))
                .isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A'a\"b", ":@", "+,$", "a b", "\u00E9\uD83D\uDE00", "", "(1)", "%27", "''", "a;b&c=d"})
    void the_address_of_an_entity_leads_back_to_its_keys(String key) {
        EntityKey keys = new EntityKey(key, "r" + key);
        assertThat(ResourcePath.parse("/" + EntityUrl.of("orders", keys)).entityKey("acct"))
                .isEqualTo(keys);
    }

    @Test
    void an_address_encodes_all_but_unreserved_characters_and_doubles_quotes() {
        assertThat(EntityUrl.of("t", new EntityKey("A'a\"b", ":@+,$ ")))
                .isEqualTo("t(PartitionKey='A''a%22b',RowKey='%3A%40%2B%2C%24%20')");
    }
}
