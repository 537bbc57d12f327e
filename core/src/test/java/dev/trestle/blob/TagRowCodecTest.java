package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.TagExpression.Comparison;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows of the tag index, byte by byte as in docs/format.md. */
class TagRowCodecTest {
    private static final long CONTAINER = 0xA1B2C3D4E5F60718L;
    private static final long NUMBER = 0x0123456789ABCDEFL;

    private static String hex(byte[] bytes) {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    @Test
    void an_entry_is_named_by_the_blob_and_a_number() {
        Key entry = TagRowCodec.key(CONTAINER, "k", "1", "a", NUMBER);
        assertThat(hex(entry.bytes()))
                .isEqualTo("A1B2C3D4E5F60718" + "742F6B2131" + "0001" + "610130313233343536373839616263646566");
        assertThat(TagRowCodec.name(entry)).isEqualTo("a");
        assertThat(TagRowCodec.value(entry)).isEqualTo("1");
        assertThat(TagRowCodec.number(entry)).isEqualTo(NUMBER);
        assertThat(hex(TagRowCodec.row(NUMBER))).isEqualTo("01" + "0000000000000000" + "015006" + "0123456789ABCDEF");
        assertThat(TagRowCodec.put(TagRowCodec.row(NUMBER))).isEqualTo(NUMBER);
    }

    @Test
    void names_and_numbers_of_all_kinds_are_read_again() {
        for (String name : List.of("a", "a\u0001b", "\u0000", "a!b/c", "\uD83D\uDE00", "\uFFFF")) {
            Key entry = TagRowCodec.key(CONTAINER, "a b", "x=y", name, -NUMBER);
            assertThat(TagRowCodec.name(entry)).isEqualTo(name);
            assertThat(TagRowCodec.value(entry)).isEqualTo("x=y");
            assertThat(TagRowCodec.number(entry)).isEqualTo(-NUMBER);
        }
    }

    @Test
    void a_blob_has_two_columns_for_a_tag_and_none_without() {
        Blob plain = new Blob(
                "a",
                OptionalLong.empty(),
                BlobType.BLOCK,
                1,
                2,
                3,
                new Blob.ContentRef("m", 0, 0),
                0,
                false,
                ContentHeaders.NONE,
                Map.of(),
                Tier.DEFAULT,
                Lease.NONE,
                Optional.empty(),
                BlobTags.NONE);
        String without = hex(BlobRowCodec.encode(plain));
        Blob tagged = plain.withTags(new BlobTags(new TreeMap<>(Map.of("k", "1")), Map.of("k", NUMBER)));
        assertThat(hex(BlobRowCodec.encode(tagged)))
                .isEqualTo(without + "03743A6B" + "01" + "0131" + "03693A6B" + "03" + "0123456789ABCDEF");
        assertThat(hex(BlobRowCodec.encode(plain.withTags(BlobTags.NONE)))).isEqualTo(without);
    }

    @Test
    void the_part_of_the_index_that_is_scanned_has_what_may_match_and_no_more() {
        List<String> values = List.of("", "1", "10", "2");
        assertThat(scanned(values, test(Comparison.EQUAL, "1"))).containsExactly("1");
        assertThat(scanned(values, test(Comparison.GREATER, "1"))).containsExactly("10", "2");
        assertThat(scanned(values, test(Comparison.GREATER_OR_EQUAL, "1"), test(Comparison.LESS, "2")))
                .containsExactly("1", "10");
        assertThat(scanned(values, test(Comparison.LESS_OR_EQUAL, ""))).containsExactly("");
        assertThat(scanned(values, test(Comparison.LESS, ""))).isEmpty();
        TagExpression.Test other = new TagExpression.Test("l", Comparison.EQUAL, "x");
        assertThat(scanned(values, test(Comparison.GREATER, ""), other)).isEmpty();
    }

    private static TagExpression.Test test(Comparison comparison, String value) {
        return new TagExpression.Test("k", comparison, value);
    }

    private static List<String> scanned(List<String> values, TagExpression.Test... tests) {
        KeyRange range = new TagQuery(Optional.empty(), List.of(tests)).range(CONTAINER);
        for (String near : List.of("k ", "k0", "K", "kk")) {
            assertThat(range.contains(
                            TagRowCodec.key(CONTAINER, near, "1", "a", NUMBER).bytes()))
                    .isFalse();
        }
        return values.stream()
                .filter(value -> range.contains(
                        TagRowCodec.key(CONTAINER, "k", value, "a", NUMBER).bytes()))
                .toList();
    }
}
