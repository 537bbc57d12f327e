package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A server with some containers, and requests about tags that are allowed everything unless signed otherwise. */
abstract class TagRequests {
    static final String ALL = account("rwdlacuptf");
    static final String BLOCK = "x-ms-blob-type: BlockBlob";
    static final String TAGGED = "x-ms-tags: k=1&tag%201=a%2Bb";
    static final String TAGS =
            "<Tags><TagSet><Tag><Key>k</Key><Value>1</Value></Tag><Tag><Key>tag 1</Key><Value>a+b</Value></Tag></TagSet></Tags>";
    static final Pattern ETAG = Pattern.compile("ETag: (\\S+)");

    static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        for (String container : List.of("files", "others", "finds")) {
            assertThat(ask("PUT", "/" + container + "?restype=container", "").status())
                    .isEqualTo(201);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static String account(String letters) {
        return Sas.account()
                .with("ss", "b")
                .with("sp", letters)
                .with("sv", "2026-06-06")
                .query();
    }

    static Answer ask(String method, String path, String body, String... headers) throws IOException {
        return signed(ALL, method, path, body, headers);
    }

    static Answer signed(String sas, String method, String path, String body, String... headers) throws IOException {
        String target = "/devstoreaccount1" + path + (path.contains("?") ? "&" : "?") + sas;
        return server.ask(Service.BLOB, method, target, body, headers);
    }

    static void put(String path, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add(BLOCK);
        assertThat(ask("PUT", path, "x", all.toArray(String[]::new)).status()).isEqualTo(201);
    }

    static String tagsOf(String path) throws IOException {
        Answer answer = ask("GET", path + "?comp=tags", "");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body().substring(answer.body().indexOf("<Tags>"));
    }

    /** A blob as a source that may be read with its tags. */
    static String source(String path) {
        return source(path, "rt");
    }

    static String source(String path, String letters) {
        String sas = Sas.ofBlob(path.substring(1)).with("sp", letters).query();
        return "x-ms-copy-source: http://127.0.0.1/devstoreaccount1" + path + "?" + sas;
    }
}
