package dev.trestle.server.blob;

import static dev.trestle.server.codec.Refusals.errorOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.TagFinder;
import dev.trestle.model.Page;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagXmlTest {
    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

    private static Map<String, String> read(String document) {
        byte[] bytes = document.getBytes(UTF_8);
        return TagXml.read(bytes, 0, bytes.length);
    }

    private static String tag(String key, String value) {
        return "<Tag><Key>" + key + "</Key><Value>" + value + "</Value></Tag>";
    }

    private static String tags(String inner) {
        return "<?xml version='1.0' encoding='utf-8'?>\n<Tags><TagSet>" + inner + "</TagSet></Tags>";
    }

    @Test
    void tags_are_written_in_the_order_of_their_keys() {
        Map<String, String> tags = Map.of("tag2", "", "+-./:=_1", "b", "+-./:=_ ", "a");
        assertThat(new String(TagXml.write(new TreeMap<>(tags)), UTF_8))
                .isEqualTo(HEAD + "<Tags><TagSet>" + tag("+-./:=_ ", "a") + tag("+-./:=_1", "b")
                        + "<Tag><Key>tag2</Key><Value /></Tag></TagSet></Tags>");
        assertThat(new String(TagXml.write(new TreeMap<>()), UTF_8)).isEqualTo(HEAD + "<Tags><TagSet /></Tags>");
    }

    @Test
    void blanks_in_tags_are_read_as_they_are() {
        assertThat(read(tags("\n " + tag(" key ", " my  tag ") + " \n" + tag("empty", ""))))
                .isEqualTo(Map.of(" key ", " my  tag ", "empty", ""));
        assertThat(read(tags(""))).isEmpty();
        assertThat(read("<Tags><TagSet/></Tags>")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Tags/>",
                "<Tags><TagSet/><TagSet/></Tags>",
                "<Tags><TagSet><Key>k</Key></TagSet></Tags>",
                "<Tags><TagSet><Tag><Key>k</Key></Tag></TagSet></Tags>",
                "<Tags><TagSet><Tag><Value>v</Value></Tag></TagSet></Tags>",
                "<Tags><TagSet><Tag><Key>k</Key><Key>l</Key><Value>v</Value></Tag></TagSet></Tags>",
                "<Tags><TagSet><Tag><Key>k</Key><Value><b/></Value></Tag></TagSet></Tags>",
                "<TagSet/>",
                "<!DOCTYPE Tags [<!ENTITY e 'x'>]><Tags><TagSet/></Tags>",
                "",
            })
    void what_is_no_set_of_tags_is_refused(String document) {
        assertThat(errorOf(() -> read(document))).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @Test
    void tags_that_a_blob_cannot_have_are_refused() {
        assertThat(errorOf(() -> read(tags(tag("", "v"))))).isEqualTo(StorageError.EMPTY_TAG_NAME);
        assertThat(errorOf(() -> read(tags(tag("k", "1") + tag("k", "2")))))
                .isEqualTo(StorageError.DUPLICATE_TAG_NAMES);
        assertThat(read(tags(tag("k", "1") + tag("K", "2")))).hasSize(2);
        assertThat(errorOf(() -> read(tags(tag("k#", "v"))))).isEqualTo(StorageError.INVALID_TAG);
        assertThat(errorOf(() -> read(tags(tag("k", "\u00E9"))))).isEqualTo(StorageError.INVALID_TAG);
        assertThat(read(tags(tag("k".repeat(128), "v".repeat(256))))).hasSize(1);
        assertThat(errorOf(() -> read(tags(tag("k".repeat(129), "v"))))).isEqualTo(StorageError.TAGS_TOO_LARGE);
        assertThat(errorOf(() -> read(tags(tag("k", "v".repeat(257)))))).isEqualTo(StorageError.TAGS_TOO_LARGE);
        assertThat(read(tags(many(10)))).hasSize(10);
        assertThat(errorOf(() -> read(tags(many(11))))).isEqualTo(StorageError.TAGS_TOO_LARGE);
    }

    private static String many(int count) {
        return IntStream.range(0, count).mapToObj(i -> tag("k" + i, "v")).collect(Collectors.joining());
    }

    @Test
    void what_was_found_is_told_with_the_query_and_where_to_go_on() {
        Page<TagFinder.Found, TagFinder.Position> page = new Page<>(
                List.of(new TagFinder.Found("logs", "a&b", new TreeMap<>(Map.of("k", "1", "l", "2")))),
                Optional.of(TagFinder.Position.START));
        TagXml.Parameters asked =
                new TagXml.Parameters("http://x/", "\"k\"='1' AND l>'1'", Optional.of("m"), Optional.of(1), true);
        assertThat(new String(TagXml.found(asked, page, "next"), UTF_8))
                .isEqualTo(HEAD + "<EnumerationResults ServiceEndpoint=\"http://x/\"><Marker>m</Marker>"
                        + "<Where>&quot;k&quot;=&apos;1&apos; AND l&gt;&apos;1&apos;</Where><MaxResults>1</MaxResults>"
                        + "<Blobs><Blob><Name>a&amp;b</Name><ContainerName>logs</ContainerName><Tags><TagSet>"
                        + tag("k", "1") + tag("l", "2") + "</TagSet></Tags></Blob></Blobs>"
                        + "<NextMarker>next</NextMarker></EnumerationResults>");
        TagXml.Parameters old = new TagXml.Parameters("http://x/", "k='1'", Optional.empty(), Optional.empty(), false);
        assertThat(new String(TagXml.found(old, page, ""), UTF_8))
                .contains("<Where>k=&apos;1&apos;</Where><Blobs>", "<TagValue>1</TagValue></Blob>", "<NextMarker />");
        assertThat(new String(TagXml.found(old, new Page<>(List.of(), Optional.empty()), ""), UTF_8))
                .contains("<Blobs />");
    }
}
