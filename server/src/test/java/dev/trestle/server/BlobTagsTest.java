package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tags over HTTP: in headers and documents, in conditions and searches. */
class BlobTagsTest extends TagRequests {
    @Test
    void tags_are_given_with_the_blob_and_read_by_themselves() throws IOException {
        put("/files/given", TAGGED);
        assertThat(tagsOf("/files/given")).isEqualTo(TAGS);
        assertThat(ask("HEAD", "/files/given", "").head()).contains("x-ms-tag-count: 2\r\n");
        assertThat(ask("GET", "/files/given", "").head())
                .contains("x-ms-tag-count: 2\r\n")
                .doesNotContain("a+b");
        put("/files/plain");
        assertThat(tagsOf("/files/plain")).isEqualTo("<Tags><TagSet /></Tags>");
        assertThat(ask("HEAD", "/files/plain", "").head()).doesNotContain("x-ms-tag-count");
        // As the Java SDK writes a blank.
        put("/files/plus", "x-ms-tags: tag+1=a+b&");
        assertThat(tagsOf("/files/plus")).contains("<Key>tag 1</Key><Value>a b</Value>");
    }

    @Test
    void every_operation_that_makes_a_blob_gives_it_tags() throws IOException {
        put("/files/source", "x-ms-tags: other=one");
        assertThat(ask("PUT", "/files/log", "", "x-ms-blob-type: AppendBlob", TAGGED)
                        .status())
                .isEqualTo(201);
        assertThat(ask("PUT", "/files/blocks?comp=blocklist", "<BlockList></BlockList>", TAGGED)
                        .status())
                .isEqualTo(201);
        assertThat(ask("PUT", "/files/from", "", BLOCK, source("/files/source"), TAGGED)
                        .status())
                .isEqualTo(201);
        assertThat(ask("PUT", "/files/copy", "", source("/files/source"), TAGGED)
                        .status())
                .isEqualTo(202);
        assertThat(ask("PUT", "/files/sync", "", source("/files/source"), "x-ms-requires-sync: true", TAGGED)
                        .status())
                .isEqualTo(202);
        for (String blob : List.of("log", "blocks", "from", "copy", "sync")) {
            assertThat(tagsOf("/files/" + blob)).as(blob).isEqualTo(TAGS);
        }
        assertThat(ask("PUT", "/files/copy?comp=metadata", "", TAGGED).toString())
                .contains(" 400 ", "UnsupportedHeader");
    }

    @Test
    void a_copy_takes_the_tags_of_its_source_when_it_is_told_to() throws IOException {
        put("/files/tagged", TAGGED);
        String copy = "x-ms-copy-source-tag-option: COPY";
        String sync = "x-ms-requires-sync: true";
        assertThat(ask("PUT", "/files/c1", "", source("/files/tagged"), sync, copy)
                        .status())
                .isEqualTo(202);
        assertThat(ask("PUT", "/files/c2", "", source("/files/tagged"), BLOCK, copy)
                        .status())
                .isEqualTo(201);
        assertThat(ask("PUT", "/files/c3", "", source("/files/tagged"), sync).status())
                .isEqualTo(202);
        assertThat(ask("PUT", "/files/c4", "", source("/files/tagged"), copy).status())
                .isEqualTo(202);
        assertThat(tagsOf("/files/c1")).isEqualTo(TAGS);
        assertThat(tagsOf("/files/c2")).isEqualTo(TAGS);
        assertThat(tagsOf("/files/c3")).doesNotContain("<Tag>");
        assertThat(tagsOf("/files/c4")).doesNotContain("<Tag>");
        assertThat(ask("PUT", "/files/c5", "", source("/files/tagged"), sync, copy, TAGGED)
                        .status())
                .isEqualTo(409);
        assertThat(ask("PUT", "/files/c5", "", source("/files/tagged"), sync, "x-ms-copy-source-tag-option: SOME")
                        .toString())
                .contains(" 400 ", "InvalidHeaderValue");
        assertThat(ask("PUT", "/files/c5", "", source("/files/tagged"), "x-ms-source-if-tags: k='2'")
                        .toString())
                .contains(" 412 ", "SourceConditionNotMet");
        assertThat(ask("PUT", "/files/c5", "", source("/files/tagged"), "x-ms-source-if-tags: k='1'")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void tags_are_set_without_a_trace_in_what_readers_compare() throws IOException {
        put("/files/set");
        String before = etag(ask("HEAD", "/files/set", ""));
        Answer set = ask("PUT", "/files/set?comp=tags", TAGS);
        assertThat(set.status()).isEqualTo(204);
        assertThat(set.head()).doesNotContain("ETag");
        assertThat(tagsOf("/files/set")).isEqualTo(TAGS);
        assertThat(etag(ask("HEAD", "/files/set", ""))).isEqualTo(before);
        assertThat(ask("PUT", "/files/set?comp=tags", TAGS, "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==")
                        .toString())
                .contains(" 400 ", "Md5Mismatch");
        assertThat(ask("PUT", "/files/set?comp=tags", TAGS, "x-ms-content-crc64: AAAAAAAAAAA=")
                        .toString())
                .contains(" 400 ", "Crc64Mismatch");
        assertThat(ask("PUT", "/files/set?comp=tags", "<Tags/>").toString()).contains(" 400 ", "InvalidXmlDocument");
        assertThat(ask("PUT", "/files/none?comp=tags", TAGS).toString()).contains(" 404 ", "BlobNotFound");
        assertThat(ask("GET", "/files/none?comp=tags", "").toString()).contains(" 404 ", "BlobNotFound");
        assertThat(ask("DELETE", "/files/set?comp=tags", "").status()).isEqualTo(405);
    }

    private static String etag(Answer answer) {
        Matcher matcher = ETAG.matcher(answer.head());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void tags_of_a_leased_blob_are_set_by_its_holder_alone() throws IOException {
        String id = "11111111-2222-3333-4444-555555555555";
        put("/files/leased");
        ask(
                "PUT",
                "/files/leased?comp=lease",
                "",
                "x-ms-lease-action: acquire",
                "x-ms-lease-duration: -1",
                "x-ms-proposed-lease-id: " + id);
        assertThat(ask("PUT", "/files/leased?comp=tags", TAGS).toString()).contains(" 412 ", "LeaseIdMissing");
        assertThat(ask("PUT", "/files/leased?comp=tags", TAGS, "x-ms-lease-id: " + id)
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_snapshot_has_the_tags_that_its_blob_had_for_good() throws IOException {
        put("/files/snap", TAGGED);
        Answer taken = ask("PUT", "/files/snap?comp=snapshot", "");
        Matcher time = Pattern.compile("x-ms-snapshot: (\\S+)").matcher(taken.head());
        assertThat(time.find()).isTrue();
        String snapshot = "snapshot=" + time.group(1);
        put("/files/snap");
        assertThat(ask("GET", "/files/snap?comp=tags&" + snapshot, "").body()).endsWith(TAGS);
        assertThat(ask("PUT", "/files/snap?comp=tags&" + snapshot, TAGS).toString())
                .contains(" 400 ", "InvalidOperation");
    }

    @ParameterizedTest
    @CsvSource({
        "=v, EmptyTagName",
        "k=1&k=2, DuplicateTagNames",
        "k=%23, InvalidTag",
        "k%2C=v, InvalidTag",
        "k=%zz, InvalidTag",
        "k, InvalidTag",
        "a=&b=&c=&d=&e=&f=&g=&h=&i=&j=&k=, TagsTooLarge",
    })
    void tags_that_a_blob_cannot_have_are_refused(String tags, String code) throws IOException {
        assertThat(ask("PUT", "/files/refused", "x", BLOCK, "x-ms-tags: " + tags)
                        .toString())
                .contains(" 400 ", "<Code>" + code + "</Code>");
    }

    @Test
    void a_condition_on_tags_is_asked_of_reads_and_writes() throws IOException {
        put("/files/guarded", TAGGED);
        String holds = "x-ms-if-tags: \"tag 1\"='a+b' AND (k='2' OR k<>'3')";
        String fails = "x-ms-if-tags: k='2'";
        for (String request : List.of(
                "GET /files/guarded",
                "HEAD /files/guarded",
                "GET /files/guarded?comp=metadata",
                "GET /files/guarded?comp=tags",
                "GET /files/guarded?comp=blocklist",
                "PUT /files/guarded?comp=metadata",
                "PUT /files/guarded?comp=properties",
                "PUT /files/guarded?comp=snapshot",
                "PUT /files/guarded?comp=tags",
                "DELETE /files/guarded")) {
            String[] parts = request.split(" ", 2);
            String body = request.endsWith("PUT /files/guarded?comp=tags") ? TAGS : "";
            Answer refused = ask(parts[0], parts[1], body, fails);
            assertThat(refused.head()).as(request).contains(" 412 ", "x-ms-error-code: ConditionNotMet");
            if (!parts[0].equals("DELETE")) {
                assertThat(ask(parts[0], parts[1], body, holds).status())
                        .as(request)
                        .isIn(200, 201, 204);
            }
        }
        assertThat(ask("GET", "/files/guarded", "", "x-ms-if-tags: k=1").toString())
                .contains(" 400 ", "InvalidHeaderValue", "<HeaderName>x-ms-if-tags</HeaderName><HeaderValue>k=1<");
        assertThat(ask("PUT", "/files/guarded?comp=block&blockid=YQ==", "x", fails)
                        .toString())
                .contains(" 400 ", "UnsupportedHeader");
        assertThat(ask("GET", "/files?restype=container", "", fails).toString()).contains(" 400 ", "UnsupportedHeader");
    }

    @Test
    void listings_count_tags_and_tell_them_when_asked() throws IOException {
        put("/others/listed", TAGGED);
        put("/others/untagged");
        String list = "/others?restype=container&comp=list";
        assertThat(ask("GET", list, "").body())
                .contains("<ServerEncrypted>true</ServerEncrypted><TagCount>2</TagCount></Properties><OrMetadata />")
                .doesNotContain("<Tags>");
        assertThat(ask("GET", list + "&include=tags", "").body())
                .contains("<TagCount>2</TagCount></Properties>" + TAGS + "<OrMetadata />")
                .containsOnlyOnce("<Tags>");
    }

    @Test
    void blobs_are_found_in_the_account_and_in_a_container() throws IOException {
        for (int i = 0; i < 5; i++) {
            put("/finds/f" + i, "x-ms-tags: find=me&n=" + i);
        }
        put("/others/f5", "x-ms-tags: find=me&n=5");
        String where = "where=find%3D%27me%27%20and%20n%3E%272%27";
        String found = ask("GET", "/?comp=blobs&maxresults=2&" + where, "").body();
        assertThat(names(found)).containsExactly("f3", "f4");
        assertThat(found)
                .contains(
                        "<Where>find=&apos;me&apos; and n&gt;&apos;2&apos;</Where><MaxResults>2</MaxResults><Blobs>",
                        "<ContainerName>finds</ContainerName><Tags><TagSet><Tag><Key>find</Key><Value>me</Value></Tag>"
                                + "<Tag><Key>n</Key><Value>3</Value></Tag></TagSet></Tags></Blob>");
        String marker = found.substring(found.indexOf("<NextMarker>") + 12, found.indexOf("</NextMarker>"));
        String next = ask("GET", "/?comp=blobs&maxresults=2&marker=" + marker + "&" + where, "")
                .body();
        assertThat(names(next)).containsExactly("f5");
        assertThat(next).contains("<Marker>" + marker + "</Marker><Where>", "<NextMarker />");
        assertThat(names(ask("GET", "/finds?restype=container&comp=blobs&" + where, "")
                        .body()))
                .containsExactly("f3", "f4");
        assertThat(names(ask("GET", "/?comp=blobs&where=%40container%3D%27others%27%20AND%20find%3D%27me%27", "")
                        .body()))
                .containsExactly("f5");
        assertThat(names(ask("GET", "/?comp=blobs&where=%40container%3D%27nowhere%27%20AND%20find%3D%27me%27", "")
                        .body()))
                .isEmpty();
        Answer old = ask("GET", "/?comp=blobs&where=n%3D%275%27", "", "x-ms-version: 2019-12-12");
        assertThat(old.body()).contains("<TagValue>5</TagValue>");
    }

    private static List<String> names(String found) {
        List<String> names = new ArrayList<>();
        Matcher matcher = Pattern.compile("<Blob><Name>([^<]*)</Name>").matcher(found);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    @Test
    void a_search_that_cannot_be_is_refused() throws IOException {
        String find = "/files?restype=container&comp=blobs";
        assertThat(ask("GET", find, "").toString()).contains(" 400 ", "MissingRequiredQueryParameter");
        assertThat(ask("GET", find + "&where=%40container%3D%27files%27%20AND%20k%3D%271%27", "")
                        .toString())
                .contains(
                        " 400 ",
                        "<Code>InvalidQueryParameterValue</Code>",
                        "Error parsing query: Cannot have container in both uri and query",
                        "<QueryParameterName>where</QueryParameterName>");
        assertThat(ask("GET", find + "&where=k%3D%271%27&marker=other", "").toString())
                .contains(" 400 ", "InvalidQueryParameterValue");
        assertThat(ask("GET", find + "&where=k%3D%271%27&maxresults=0", "").toString())
                .contains(" 400 ", "OutOfRangeQueryParameterValue");
        assertThat(ask("GET", "/none?restype=container&comp=blobs&where=k%3D%271%27", "")
                        .toString())
                .contains(" 404 ", "ContainerNotFound");
        assertThat(ask("PUT", "/?comp=blobs&where=k%3D%271%27", "").status()).isEqualTo(405);
    }
}
