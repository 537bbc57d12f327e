package dev.trestle.server;

import static dev.trestle.server.BlobBatches.DATE;
import static dev.trestle.server.BlobBatches.VERSION;
import static dev.trestle.server.BlobBatches.authorization;
import static dev.trestle.server.BlobBatches.batch;
import static dev.trestle.server.BlobBatches.delete;
import static dev.trestle.server.BlobBatches.send;
import static dev.trestle.server.BlobBatches.sharedKey;
import static dev.trestle.server.BlobBatches.subs;
import static dev.trestle.server.BlobBatches.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.BlobBatches.Sub;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each request of a batch is authorized by its own headers only. */
class BlobBatchAccessTest {
    private static final String SERVICE = "/?comp=batch";
    private static final String CONTAINER = "/files?restype=container&comp=batch";
    private static final String XMS_DATE = "x-ms-date: " + DATE;
    private static final String OWNER = "?" + GuardedServer.owner();

    private final GuardedServer server = new GuardedServer();

    @BeforeEach
    void fill() throws IOException {
        for (String container : List.of("files", "others")) {
            server.owner(Service.BLOB, "PUT", "/" + container + "?restype=container", "");
            for (String blob : List.of("a", "b")) {
                server.owner(Service.BLOB, "PUT", "/" + container + "/" + blob, "", "x-ms-blob-type: BlockBlob");
            }
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertThere(String... blobs) throws IOException {
        for (String blob : blobs) {
            assertThat(server.owner(Service.BLOB, "HEAD", "/" + blob, "").status())
                    .as(blob)
                    .isEqualTo(200);
        }
    }

    /** Sends a batch with this signature, and no more, for itself. */
    private Answer sendWith(String sas, String path, String body) throws IOException {
        return server.ask(
                Service.BLOB,
                "POST",
                "/devstoreaccount1" + path + "&" + sas,
                body,
                "Content-Type: multipart/mixed; boundary=b",
                VERSION);
    }

    @Test
    void a_key_signs_the_address_that_stands_in_the_request_with_the_account_or_without() throws IOException {
        String whole = "/devstoreaccount1/files/a";
        String bare = "/others/a";

        assertThat(subs(send(
                        server,
                        SERVICE,
                        batch(
                                delete(whole, XMS_DATE, sharedKey("DELETE", whole)),
                                delete(bare, XMS_DATE, sharedKey("DELETE", bare)),
                                delete("others/b", XMS_DATE, sharedKey("DELETE", "/others/b"))))))
                .extracting(Sub::status)
                .containsExactly(202, 202, 202);
    }

    @Test
    void a_key_signs_the_date_the_version_and_the_conditions_that_stand_in_the_request() throws IOException {
        String a = "/devstoreaccount1/files/a";
        String b = "/devstoreaccount1/files/b";
        String tail = "\n/devstoreaccount1";

        assertThat(subs(send(
                        server,
                        SERVICE,
                        batch(
                                delete(
                                        a,
                                        "Date: " + DATE,
                                        authorization("DELETE\n\n\n\n\n\n" + DATE + "\n\n\n\n\n" + tail + a)),
                                delete(
                                        b,
                                        XMS_DATE,
                                        VERSION,
                                        "If-Match: *",
                                        authorization("DELETE\n\n\n\n\n\n\n\n*\n\n\n\nx-ms-date:" + DATE
                                                + "\nx-ms-version:2021-08-06" + tail + b))))))
                .extracting(Sub::status)
                .containsExactly(202, 202);
    }

    @Test
    void a_key_signs_the_parameters_of_the_request() throws IOException {
        String path = "/devstoreaccount1/files/a";

        assertThat(subs(send(
                        server,
                        CONTAINER,
                        batch(tier(
                                path + "?comp=tier",
                                "Cool",
                                XMS_DATE,
                                authorization("PUT" + "\n".repeat(12) + "x-ms-access-tier:Cool\nx-ms-date:" + DATE
                                        + "\n/devstoreaccount1" + path + "\ncomp:tier"))))))
                .extracting(Sub::status)
                .containsExactly(200);
    }

    @Test
    void in_host_style_the_path_of_a_request_has_no_account() throws IOException {
        String sas = GuardedServer.owner();
        String body = batch(
                delete("/files/a", XMS_DATE, sharedKey("DELETE", "/files/a")),
                delete("/files/b", XMS_DATE, sharedKey("DELETE", "/devstoreaccount1/files/b")));
        String request = "POST /?comp=batch&" + sas + " HTTP/1.1\r\nHost: devstoreaccount1.localhost\r\n" + VERSION
                + "\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + body;

        List<Sub> subs =
                subs(GuardedServer.answers(server.port(Service.BLOB), request).get(0));
        assertThat(subs).extracting(Sub::status).containsExactly(202, 403);
    }

    @Test
    void a_request_with_a_wrong_signature_is_refused_alone() throws IOException {
        List<Sub> subs = subs(send(
                server,
                SERVICE,
                batch(
                        delete("/files/a", XMS_DATE, sharedKey("DELETE", "/files/b")),
                        delete("/files/b", XMS_DATE, sharedKey("PUT", "/files/b")),
                        delete("/others/a", XMS_DATE, sharedKey("DELETE", "/others/a")),
                        delete("/others/b" + OWNER.replace("sp=", "sp=r")))));

        assertThat(subs)
                .extracting(Sub::code)
                .containsExactly("AuthenticationFailed", "AuthenticationFailed", "", "AuthenticationFailed");
        assertThat(subs.get(0).text())
                .contains("HTTP/1.1 403 Server failed to authenticate the request. Make sure the value of Authorization"
                        + " header is formed correctly including the signature.\r\n");
        assertThere("files/a", "files/b", "others/b");
    }

    @Test
    void credentials_of_the_batch_open_none_of_its_requests() throws IOException {
        String body = batch(delete("/devstoreaccount1/files/a"), delete("/files/b"));
        String path = "/devstoreaccount1/";
        byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        String key =
                authorization("POST\n\n\n" + bytes.length + "\n\nmultipart/mixed; boundary=b\n\n\n\n\n\n\nx-ms-date:"
                        + DATE + "\n" + VERSION.replace(" ", "") + "\n/devstoreaccount1" + path + "\ncomp:batch");

        for (Answer answer : List.of(
                send(server, SERVICE, body),
                send(server, CONTAINER, body),
                server.ask(
                        Service.BLOB,
                        "POST",
                        path + "?comp=batch",
                        body,
                        "Content-Type: multipart/mixed; boundary=b",
                        VERSION,
                        XMS_DATE,
                        key))) {
            assertThat(subs(answer)).extracting(Sub::status).containsExactly(401, 401);
            assertThat(subs(answer)).extracting(Sub::code).containsOnly("NoAuthenticationInformation");
        }
        assertThere("files/a", "files/b");
    }

    @Test
    void credentials_of_a_request_do_not_open_the_batch() throws IOException {
        String body = batch(delete("/files/a" + OWNER), delete("/files/b", XMS_DATE, sharedKey("DELETE", "/files/b")));
        Answer none = server.ask(
                Service.BLOB,
                "POST",
                "/devstoreaccount1/?comp=batch",
                body,
                "Content-Type: multipart/mixed; boundary=b",
                VERSION);

        assertThat(none.status()).isEqualTo(401);
        assertThat(sendWith(
                                Sas.account()
                                        .with("ss", "b")
                                        .with("se", "2020-01-01T00:00:00Z")
                                        .query(),
                                SERVICE,
                                body)
                        .status())
                .isEqualTo(403);
        assertThere("files/a", "files/b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r", "l", "rc", "d"})
    void any_account_sas_for_blobs_opens_a_batch_but_only_its_own_one_opens_a_request(String permissions)
            throws IOException {
        String sas = Sas.account()
                .with("ss", "b")
                .with("sp", permissions)
                .with("srt", "o")
                .query();
        String body = batch(delete("/files/a?" + sas), delete("/others/a" + OWNER));

        assertThat(subs(sendWith(sas, SERVICE, body)))
                .extracting(Sub::code)
                .containsExactly(permissions.equals("d") ? "" : "AuthorizationPermissionMismatch", "");
    }

    @Test
    void an_account_sas_for_another_service_opens_no_batch() throws IOException {
        String sas = Sas.account().with("ss", "qt").query();

        assertThat(sendWith(sas, SERVICE, batch(delete("/files/a" + OWNER))).body())
                .contains("AuthorizationServiceMismatch");
        assertThere("files/a");
    }

    @Test
    void a_container_sas_opens_batches_for_its_container_only() throws IOException {
        String sas = Sas.ofContainer("files").with("sp", "rcw").query();
        String body = batch(delete("/files/a?" + sas), delete("/files/b" + OWNER));

        Answer ofService = sendWith(sas, SERVICE, body);
        assertThat(ofService.status()).isEqualTo(403);
        assertThat(ofService.body()).contains("AuthenticationFailed");
        assertThat(sendWith(sas, "/others?restype=container&comp=batch", body).status())
                .isEqualTo(403);
        assertThat(subs(sendWith(sas, CONTAINER, body)))
                .extracting(Sub::code)
                .containsExactly("AuthorizationPermissionMismatch", "");
    }

    @Test
    void a_container_sas_in_a_request_opens_that_container_only() throws IOException {
        String sas = Sas.ofContainer("files").query();

        assertThat(subs(send(
                        server,
                        SERVICE,
                        batch(
                                delete("/devstoreaccount1/files/a?" + sas),
                                delete("/files/b?" + sas),
                                delete("/others/a?" + sas)))))
                .extracting(Sub::status)
                .containsExactly(202, 202, 403);
        assertThere("others/a");
    }

    @Test
    void a_blob_sas_opens_no_batch_and_in_a_request_that_blob_only() throws IOException {
        String sas = Sas.ofBlob("files/a").query();

        assertThat(sendWith(sas, CONTAINER, batch(delete("/files/a?" + sas))).status())
                .isEqualTo(403);
        assertThat(subs(send(server, CONTAINER, batch(delete("/files/a?" + sas), delete("/files/b?" + sas)))))
                .extracting(Sub::status)
                .containsExactly(202, 403);
    }

    @Test
    void requests_to_another_account_or_its_secondary_are_refused() throws IOException {
        List<Sub> subs = subs(send(
                server,
                SERVICE,
                batch(
                        delete("/" + GuardedServer.OTHER_ACCOUNT + "/files/a" + OWNER),
                        delete("/devstoreaccount1-secondary/files/a" + OWNER),
                        delete("/devstoreaccount1/../otheraccount/files/a" + OWNER))));

        assertThat(subs).extracting(Sub::status).allMatch(status -> status >= 400);
        assertThere("files/a");
    }

    @Test
    void what_is_public_to_read_is_not_public_to_delete() throws IOException {
        assertThat(server.ask(
                                Service.BLOB,
                                "POST",
                                "/devstoreaccount1" + CONTAINER,
                                batch(delete("/files/a")),
                                "Content-Type: multipart/mixed; boundary=b")
                        .status())
                .isEqualTo(404);
    }
}
