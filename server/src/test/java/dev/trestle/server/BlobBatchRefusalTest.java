package dev.trestle.server;

import static dev.trestle.server.BlobBatches.batch;
import static dev.trestle.server.BlobBatches.delete;
import static dev.trestle.server.BlobBatches.request;
import static dev.trestle.server.BlobBatches.send;
import static dev.trestle.server.BlobBatches.subs;
import static dev.trestle.server.BlobBatches.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.BlobBatches.Sub;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors that fail a whole batch of the Blob service, before any request of it is executed. */
class BlobBatchRefusalTest {
    private static final String SERVICE = "/?comp=batch";
    private static final String CONTAINER = "/files?restype=container&comp=batch";

    private final GuardedServer server = new GuardedServer();

    @BeforeEach
    void fill() throws IOException {
        for (String container : List.of("files", "others")) {
            server.owner(Service.BLOB, "PUT", "/" + container + "?restype=container", "");
            for (String blob : List.of("a", "b", "c")) {
                put(container + "/" + blob);
            }
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Answer put(String blob) throws IOException {
        return server.owner(Service.BLOB, "PUT", "/" + blob, "text", "x-ms-blob-type: BlockBlob");
    }

    private int status(String blob) throws IOException {
        return server.owner(Service.BLOB, "HEAD", "/" + blob, "").status();
    }

    private static String owned(String path) {
        return "/devstoreaccount1/" + path + (path.contains("?") ? "&" : "?") + GuardedServer.owner();
    }

    private static String header(Answer answer, String name) {
        Matcher header =
                Pattern.compile("(?i)^" + name + ": (.*)$", Pattern.MULTILINE).matcher(answer.head());
        return header.find() ? header.group(1).strip() : "";
    }

    /** The batch is refused as a whole, in a part without an id, and nothing was done. */
    private void assertRefused(Answer answer, String code) throws IOException {
        List<Sub> subs = subs(answer);
        assertThat(subs).hasSize(1);
        assertThat(subs.get(0).code()).isEqualTo(code);
        assertThat(subs.get(0).status()).isEqualTo(400);
        assertThat(subs.get(0).id()).isEqualTo("none");
        assertThat(subs.get(0).text()).contains("x-ms-request-id: " + header(answer, "x-ms-request-id"));
        for (String blob : List.of("files/a", "files/b", "files/c", "others/a")) {
            assertThat(status(blob)).as(blob).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"others/a", "a", "filesx/a", "files", "others/files/a", "FILES/a"})
    void requests_outside_of_the_container_of_the_batch_fail_it(String elsewhere) throws IOException {
        assertRefused(
                send(server, CONTAINER, batch(delete(owned("files/a")), delete(owned(elsewhere)))), "InvalidInput");
    }

    @Test
    void deleting_and_setting_tiers_cannot_be_mixed() throws IOException {
        Answer answer =
                send(server, SERVICE, batch(delete(owned("files/a")), tier(owned("files/b?comp=tier"), "Cool")));

        assertRefused(answer, "AllBatchSubRequestsShouldBeSameApi");
        assertThat(answer.body()).contains("HTTP/1.1 400 All batch subrequests should be the same api.\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET files/a",
                "HEAD files/a",
                "PUT files/new",
                "PUT files/a?comp=metadata",
                "PUT files/a?comp=lease",
                "POST files/a?comp=tier",
                "DELETE files/a?comp=tier",
                "DELETE files?restype=container",
                "DELETE files/a?restype=container",
                "PUT new?restype=container",
                "POST ?comp=batch",
                "POST files?restype=container&comp=batch",
                "PUT ?restype=service&comp=properties",
                "OPTIONS files/a",
                "delete files/a"
            })
    void other_operations_fail_the_batch(String line) throws IOException {
        String[] words = line.split(" ", 2);
        String other = request(words[0], owned(words[1]), "x-ms-blob-type: BlockBlob");

        assertRefused(send(server, SERVICE, batch(other)), "InvalidInput");
        assertRefused(send(server, CONTAINER, batch(delete(owned("files/a")), other)), "InvalidInput");
    }

    @Test
    void too_many_requests_fail_the_batch() throws IOException {
        String[] requests =
                IntStream.range(0, 257).mapToObj(i -> delete(owned("files/a"))).toArray(String[]::new);

        assertRefused(send(server, SERVICE, batch(requests)), "ExceedsMaxBatchRequestCount");
    }

    @Test
    void a_batch_that_is_empty_or_cut_off_fails() throws IOException {
        String whole = batch(delete(owned("files/a")), delete(owned("files/b")));

        assertRefused(send(server, SERVICE, ""), "InvalidInput");
        assertRefused(send(server, SERVICE, batch()), "InvalidInput");
        assertRefused(send(server, SERVICE, whole.substring(0, whole.length() - 4)), "InvalidInput");
    }

    @Test
    void a_content_type_without_a_boundary_is_named_in_the_refusal() throws IOException {
        String body = batch(delete(owned("files/a")));
        Answer answer = server.owner(
                Service.BLOB, "POST", SERVICE, body, BlobBatches.VERSION, "Content-Type: multipart/mixed;");

        assertRefused(answer, "InvalidHeaderValue");
        assertThat(answer.body())
                .contains("<HeaderName>Content-Type</HeaderName><HeaderValue>multipart/mixed;</HeaderValue>");
    }

    @Test
    void a_digest_of_the_batch_is_compared() throws Exception {
        String body = batch(delete(owned("files/a")));
        byte[] md5 = MessageDigest.getInstance("MD5").digest(body.getBytes(StandardCharsets.ISO_8859_1));

        Answer wrong = send(server, SERVICE, body, "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body()).contains("Md5Mismatch");
        assertThat(status("files/a")).isEqualTo(200);
        assertThat(subs(send(
                        server,
                        SERVICE,
                        body,
                        "content-md5: " + Base64.getEncoder().encodeToString(md5))))
                .extracting(Sub::status)
                .containsExactly(202);
    }

    @Test
    void a_batch_larger_than_4_MiB_is_refused_unread() throws IOException {
        String padding = "x-ms-padding: " + "x".repeat(4 << 20);

        Answer answer = send(server, SERVICE, batch(delete(owned("files/a"), padding)));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).contains("RequestBodyTooLarge");
        assertThat(status("files/a")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {SERVICE, CONTAINER})
    void a_batch_has_to_be_posted(String path) throws IOException {
        assertThat(server.owner(Service.BLOB, "PUT", path, "").status()).isEqualTo(405);
        assertThat(server.owner(Service.BLOB, "GET", path, "").status()).isEqualTo(405);
    }
}
