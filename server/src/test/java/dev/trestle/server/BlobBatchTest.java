package dev.trestle.server;

import static dev.trestle.server.BlobBatches.batch;
import static dev.trestle.server.BlobBatches.delete;
import static dev.trestle.server.BlobBatches.send;
import static dev.trestle.server.BlobBatches.subs;
import static dev.trestle.server.BlobBatches.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.BlobBatches.Sub;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of the Blob service, with full authorization. */
class BlobBatchTest {
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/?comp=batch",
                "/?restype=&comp=batch",
                "/files?restype=container&comp=batch",
                "/files?comp=batch&restype=container",
                "/files/?comp=batch&restype=container"
            })
    void blobs_are_deleted_in_a_container_or_in_several(String path) throws IOException {
        List<Sub> subs = subs(send(server, path, batch(delete(owned("files/a")), delete(owned("files/b")))));

        assertThat(subs).extracting(Sub::status).containsExactly(202, 202);
        assertThat(subs).extracting(Sub::id).containsExactly("0", "1");
        assertThat(status("files/a")).isEqualTo(404);
        assertThat(status("files/b")).isEqualTo(404);
        assertThat(status("files/c")).isEqualTo(200);
    }

    @Test
    void a_response_has_the_form_that_was_recorded_of_the_service() throws IOException {
        Answer answer = send(
                server,
                SERVICE,
                batch(
                        delete(owned("files/a"), "x-ms-client-request-id: mine"),
                        delete(owned("files/gone"), "x-ms-client-request-id: other")),
                "x-ms-client-request-id: whole");

        assertThat(header(answer, "x-ms-client-request-id")).isEqualTo("whole");
        assertThat(header(answer, "x-ms-version")).isEqualTo("2021-08-06");
        String boundary = header(answer, "Content-Type").replace("multipart/mixed; boundary=", "");
        String body = answer.body()
                .replace(boundary, "b")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "id")
                .replaceAll("Time:[-0-9T:.]+Z", "Time")
                .replace("\u00ef\u00bb\u00bf", "<mark>")
                .replace("\r\n", "\n");
        assertThat(body).isEqualTo("""
                --b
                Content-Type: application/http
                Content-ID: 0

                HTTP/1.1 202 Accepted
                x-ms-delete-type-permanent: true
                x-ms-request-id: id
                x-ms-version: 2021-08-06
                x-ms-client-request-id: mine
                Server: Trestle

                --b
                Content-Type: application/http
                Content-ID: 1

                HTTP/1.1 404 The specified blob does not exist.
                x-ms-error-code: BlobNotFound
                x-ms-request-id: id
                x-ms-version: 2021-08-06
                x-ms-client-request-id: other
                Content-Length: 216
                Content-Type: application/xml
                Server: Trestle

                <mark><?xml version="1.0" encoding="utf-8"?>
                <Error><Code>BlobNotFound</Code><Message>The specified blob does not exist.
                RequestId:id
                Time</Message></Error>
                --b--""");
    }

    @Test
    void every_request_and_the_batch_have_an_id_of_their_own() throws IOException {
        Answer answer = send(server, SERVICE, batch(delete(owned("files/a")), delete(owned("files/gone"))));

        Matcher ids = Pattern.compile("x-ms-request-id: (\\S+)").matcher(answer.toString());
        assertThat(ids.results().map(found -> found.group(1)).toList())
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void the_largest_batch_is_answered_in_its_order_whatever_comes_of_each() throws IOException {
        String[] requests = IntStream.range(0, 256)
                .mapToObj(i -> delete(owned(i % 64 == 0 ? "files/gone" : "files/many" + i)))
                .toArray(String[]::new);
        for (int i = 0; i < 256; i++) {
            put("files/many" + i);
        }

        List<Sub> subs = subs(send(server, SERVICE, batch(requests)));

        assertThat(subs).hasSize(256);
        for (int i = 0; i < 256; i++) {
            assertThat(subs.get(i).id()).isEqualTo(Integer.toString(i));
            assertThat(subs.get(i).status()).isEqualTo(i % 64 == 0 ? 404 : 202);
        }
    }

    @Test
    void tiers_are_set() throws IOException {
        List<Sub> subs = subs(send(
                server,
                CONTAINER,
                batch(
                        tier(owned("files/a?comp=tier"), "Cool"),
                        tier(owned("files/gone?comp=tier"), "Cool"),
                        tier(owned("files/b?comp=tier"), "Lukewarm"))));

        assertThat(subs).extracting(Sub::status).containsExactly(200, 404, 400);
        assertThat(server.owner(Service.BLOB, "HEAD", "/files/a", "").head()).contains("x-ms-access-tier: Cool");
    }

    @Test
    void names_with_uncommon_characters_are_decoded_once() throws IOException {
        put("files/a%2520b/%C3%A5%20%2B");

        List<Sub> subs = subs(send(server, CONTAINER, batch(delete(owned("files/a%2520b/%C3%A5%20%2B")))));

        assertThat(subs).extracting(Sub::status).containsExactly(202);
    }

    @Test
    void the_account_and_the_first_slash_can_be_left_out() throws IOException {
        String sas = "?" + GuardedServer.owner();

        assertThat(subs(send(server, SERVICE, batch(delete("/files/a" + sas), delete("others/a" + sas)))))
                .extracting(Sub::status)
                .containsExactly(202, 202);
        assertThat(subs(send(server, CONTAINER, batch(delete("devstoreaccount1/files/b" + sas)))))
                .extracting(Sub::status)
                .containsExactly(202);
    }

    @Test
    void conditions_hold_for_the_request_that_has_them() throws IOException {
        String etag = header(server.owner(Service.BLOB, "HEAD", "/files/a", ""), "ETag");
        String lease = header(
                server.owner(
                        Service.BLOB,
                        "PUT",
                        "/files/b?comp=lease",
                        "",
                        "x-ms-lease-action: acquire",
                        "x-ms-lease-duration: -1"),
                "x-ms-lease-id");

        List<Sub> subs = subs(send(
                server,
                SERVICE,
                batch(
                        delete(owned("files/a"), "If-Match: \"0x1\""),
                        delete(owned("files/b")),
                        delete(owned("files/c"), "If-None-Match: *"))));
        assertThat(subs).extracting(Sub::code).containsExactly("ConditionNotMet", "LeaseIdMissing", "ConditionNotMet");
        assertThat(subs.get(0).text())
                .contains("HTTP/1.1 412 The condition specified using HTTP conditional header(s) is not met.\r\n");

        assertThat(subs(send(
                        server,
                        SERVICE,
                        batch(
                                delete(owned("files/a"), "If-Match: " + etag),
                                delete(owned("files/b"), "x-ms-lease-id: " + lease)))))
                .extracting(Sub::status)
                .containsExactly(202, 202);
    }

    @Test
    void snapshots_are_deleted_by_their_time_with_their_blob_or_alone() throws IOException {
        for (String blob : List.of("a", "b", "c")) {
            server.owner(Service.BLOB, "PUT", "/files/" + blob + "?comp=snapshot", "");
        }
        String snapshot = header(server.owner(Service.BLOB, "PUT", "/others/a?comp=snapshot", ""), "x-ms-snapshot");

        assertThat(subs(send(
                        server,
                        SERVICE,
                        batch(
                                delete(owned("files/a")),
                                delete(owned("files/b"), "x-ms-delete-snapshots: include"),
                                delete(owned("files/c"), "x-ms-delete-snapshots: only"),
                                delete(owned("others/a?snapshot=" + snapshot))))))
                .extracting(Sub::status)
                .containsExactly(409, 202, 202, 202);
        assertThat(status("files/a")).isEqualTo(200);
        assertThat(status("files/b")).isEqualTo(404);
        assertThat(status("files/c")).isEqualTo(200);
        assertThat(status("others/a")).isEqualTo(200);
        assertThat(status("others/a?snapshot=" + snapshot)).isEqualTo(404);
    }

    @Test
    void a_request_that_asks_for_what_is_not_built_fails_alone() throws IOException {
        List<Sub> subs = subs(send(
                server,
                SERVICE,
                batch(
                        delete(owned("files/a?versionid=2023-07-03T23:05:17.2747700Z")),
                        delete(owned("files/b"), "x-ms-seal-blob: true"),
                        delete(owned("files/c")))));

        assertThat(subs).extracting(Sub::code).containsExactly("NotImplemented", "UnsupportedHeader", "");
    }

    @Test
    void each_request_counts_against_the_limit_of_its_account() throws IOException {
        HttpConfig config = new HttpConfig(10, 16 << 20, new RateLimits(OptionalInt.of(5), OptionalInt.empty()));
        try (GuardedServer limited = GuardedServer.with(config)) {
            String[] requests = IntStream.range(0, 256)
                    .mapToObj(i -> delete(owned("missing/a")))
                    .toArray(String[]::new);

            List<Sub> subs = subs(send(limited, SERVICE, batch(requests)));

            assertThat(subs).hasSize(256).extracting(Sub::code).contains("ContainerNotFound", "ServerBusy");
            assertThat(subs)
                    .filteredOn(sub -> sub.code().equals("ServerBusy"))
                    .allSatisfy(sub -> assertThat(sub.text())
                            .contains("HTTP/1.1 503 ")
                            .contains("Retry-After: 1\r\n")
                            .contains("Operations per second is over the account limit."));
        }
    }

    @Test
    void the_batch_and_each_of_its_requests_are_counted_in_the_metrics() throws Exception {
        send(server, SERVICE, batch(delete(owned("files/a")), delete(owned("files/gone"))));
        send(server, SERVICE, batch(tier(owned("files/b?comp=tier"), "Cool")));

        String metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        for (String counted : List.of(
                "operation=\"BlobBatch\",service=\"blob\",status=\"202\"} 2.0",
                "operation=\"DeleteBlob\",service=\"blob\",status=\"202\"} 1.0",
                "operation=\"DeleteBlob\",service=\"blob\",status=\"404\"} 1.0",
                "operation=\"SetBlobTier\",service=\"blob\",status=\"200\"} 1.0")) {
            assertThat(metrics).contains(counted);
        }
    }
}
