package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permissions to read, write, test and find tags. */
class BlobTagAccessTest extends TagRequests {
    @ParameterizedTest
    @ValueSource(strings = {"rwdlacup", "f"})
    void without_its_letter_nobody_reads_writes_or_tests_tags(String letters) throws IOException {
        put("/files/mine", TAGGED);
        String sas = account(letters);
        assertMismatch(signed(sas, "GET", "/files/mine?comp=tags", ""));
        assertMismatch(signed(sas, "PUT", "/files/mine?comp=tags", TAGS));
        assertMismatch(signed(sas, "PUT", "/files/mine", "x", BLOCK, TAGGED));
        assertMismatch(signed(sas, "GET", "/files/mine", "", "x-ms-if-tags: k='1'"));
        assertMismatch(signed(sas, "PUT", "/files/mine?comp=metadata", "", "x-ms-if-tags: k='1'"));
        assertMismatch(signed(sas, "GET", "/files?restype=container&comp=list&include=tags", ""));
        assertThat(tagsOf("/files/mine")).isEqualTo(TAGS);
    }

    @Test
    void without_its_letter_nobody_searches() throws IOException {
        String where = "where=k%3D%271%27";
        assertMismatch(signed(account("rwdlacupt"), "GET", "/?comp=blobs&" + where, ""));
        assertMismatch(signed(account("rwdlacupt"), "GET", "/files?restype=container&comp=blobs&" + where, ""));
        String find = Sas.ofContainer("files").with("sp", "f").query();
        assertThat(signed(find, "GET", "/files?restype=container&comp=blobs&" + where, "")
                        .status())
                .isEqualTo(200);
        assertThat(signed(find, "GET", "/files/x?comp=tags", "").status()).isEqualTo(403);
    }

    @Test
    void a_signature_over_a_blob_opens_its_tags_and_those_of_no_other() throws IOException {
        put("/files/own", TAGGED);
        String sas = Sas.ofBlob("files/own").with("sp", "t").query();
        assertThat(signed(sas, "GET", "/files/own?comp=tags", "").status()).isEqualTo(200);
        assertThat(signed(sas, "PUT", "/files/own?comp=tags", TAGS).status()).isEqualTo(204);
        assertThat(signed(sas, "GET", "/files/other?comp=tags", "").status()).isEqualTo(403);
        assertMismatch(signed(sas, "GET", "/files/own", ""));
    }

    private static void assertMismatch(Answer answer) {
        assertThat(answer.toString()).contains(" 403 ", "AuthorizationPermissionMismatch");
    }

    @Test
    void the_tags_of_a_source_are_copied_only_for_who_may_read_them() throws IOException {
        put("/files/from-tags", TAGGED);
        String copy = "x-ms-copy-source-tag-option: COPY";
        String sync = "x-ms-requires-sync: true";
        String target = Sas.ofBlob("files/to-tags").with("sp", "w").query();
        String reads = source("/files/from-tags", "r");
        String tags = source("/files/from-tags", "rt");
        assertThat(signed(target, "PUT", "/files/to-tags", "", reads, sync, copy)
                        .status())
                .isEqualTo(403);
        assertThat(signed(target, "PUT", "/files/to-tags", "", reads, sync).status())
                .isEqualTo(202);
        assertThat(signed(target, "PUT", "/files/to-tags", "", tags, sync, copy).status())
                .isEqualTo(202);
        assertThat(tagsOf("/files/to-tags")).isEqualTo(TAGS);
        assertThat(ask("PUT", "/files/to-tags", "", reads, sync, copy).status()).isEqualTo(202);
    }

    @Test
    void readers_without_credentials_are_told_nothing_of_tags() throws IOException {
        assertThat(ask("PUT", "/open?restype=container", "", "x-ms-blob-public-access: container")
                        .status())
                .isEqualTo(201);
        put("/open/blob", TAGGED);
        String path = "/devstoreaccount1/open";
        Answer read = server.ask(Service.BLOB, "GET", path + "/blob", "");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.head()).doesNotContain("x-ms-tag-count");
        assertThat(server.ask(Service.BLOB, "GET", path + "/blob?comp=tags", "").status())
                .isIn(401, 403, 404);
        assertThat(server.ask(Service.BLOB, "GET", path + "/blob", "", "x-ms-if-tags: k='1'")
                        .status())
                .isIn(401, 403, 404);
        assertThat(server.ask(Service.BLOB, "GET", path + "?restype=container&comp=list&include=tags", "")
                        .status())
                .isIn(401, 403, 404);
        assertThat(server.ask(Service.BLOB, "GET", path + "?restype=container&comp=blobs&where=k%3D%271%27", "")
                        .status())
                .isIn(401, 403, 404);
    }
}
