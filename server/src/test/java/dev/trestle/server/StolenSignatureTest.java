package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks with restricted SAS: one reads a queue, one reads and writes a blob. */
class StolenSignatureTest {
    private static final String QUEUE = Sas.ofQueue("jobs").with("sp", "r").query();
    private static final String BLOB = Sas.ofBlob("files/mine").with("sp", "rw").query();
    private static final String SIGNATURE = QUEUE.substring(QUEUE.indexOf("sig=") + 4);

    private static GuardedServer server;

    @BeforeAll
    static void fill() throws IOException {
        server = new GuardedServer();
        for (String queue : List.of("jobs", "secrets")) {
            server.owner(Service.QUEUE, "PUT", "/" + queue, "");
        }
        for (String container : List.of("files", "secrets")) {
            server.owner(Service.BLOB, "PUT", "/" + container + "?restype=container", "");
            for (String blob : List.of("mine", "other")) {
                server.owner(
                        Service.BLOB, "PUT", "/" + container + "/" + blob, "told nobody", "x-ms-blob-type: BlockBlob");
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer queue(String method, String path, String query) throws IOException {
        String message = "<QueueMessage><MessageText>x</MessageText></QueueMessage>";
        String target = "/devstoreaccount1/" + path + (path.contains("?") ? "&" : "?") + query;
        return server.ask(Service.QUEUE, method, target, method.equals("POST") ? message : "");
    }

    private static Answer blob(String method, String path, String... headers) throws IOException {
        String target = "/devstoreaccount1/" + path + (path.contains("?") ? "&" : "?") + BLOB;
        return server.ask(Service.BLOB, method, target, "", headers);
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isIn(400, 401, 403, 404);
        assertThat(answer.body()).doesNotContain("told nobody");
    }

    @Test
    void they_are_good_for_what_they_are_for() throws IOException {
        assertThat(queue("GET", "jobs/messages?peekonly=true", QUEUE).status()).isEqualTo(200);
        assertThat(blob("GET", "files/mine").body()).isEqualTo("told nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secrets", "missing", "jobs%2f..%2fsecrets", "JOBS", "%6aobs%00", "jobs;/../secrets"})
    void other_queues_are_closed_whether_they_are_there_or_not(String queue) throws IOException {
        assertThat(queue("GET", queue + "/messages?peekonly=true", QUEUE).status())
                .isIn(400, 403);
    }

    @Test
    void more_is_not_allowed_than_was_signed() throws IOException {
        assertRefused(queue("GET", "jobs/messages", QUEUE));
        assertRefused(queue("POST", "jobs/messages", QUEUE));
        assertRefused(queue("DELETE", "jobs/messages", QUEUE));
        assertRefused(queue("DELETE", "jobs", QUEUE));
        assertRefused(queue("GET", "jobs?comp=acl", QUEUE));
        assertRefused(queue("GET", "?comp=list", QUEUE));
        assertRefused(queue("GET", "?restype=service&comp=properties", QUEUE));
        assertRefused(blob("DELETE", "files/mine"));
        assertRefused(blob("DELETE", "files?restype=container"));
        assertRefused(blob("GET", "files?restype=container&comp=list"));
        assertRefused(blob("GET", "files?restype=container&comp=acl"));
        assertRefused(blob("GET", "?comp=list"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "files/other",
                "files/mine/../other",
                "files/mine%2f..%2fother",
                "files/%2e%2e/files/other",
                "files/mine;/../other",
                "files//mine",
                "secrets/mine",
                "secrets/../files/other",
                "files%2fmine",
                "missing/mine"
            })
    void other_blobs_are_closed_however_they_are_written(String path) throws IOException {
        Answer read = blob("GET", path);
        assertThat(read.status()).as(read.toString()).isIn(400, 403);
        assertThat(blob("PUT", path, "x-ms-blob-type: BlockBlob").status()).isIn(400, 403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sp=raup&%s",
                "%s&sp=raup",
                "%s&SP=raup",
                "%s&sig=AAAA",
                "sig=AAAA&%s",
                "sig=&%s",
                "%s&se=2099-01-01T00:00:00Z",
                "s%%70=raup&%s",
                "%s;sp=raup",
                "%s&sp%%00=raup",
                "ss=bqt&srt=sco&%s",
                "%s&ss=bqt&srt=sco",
                "tn=jobs&%s",
                "skoid=a&%s",
                "si=policy&%s"
            })
    void fields_beside_the_signed_ones_do_not_widen_it(String query) throws IOException {
        assertRefused(queue("POST", "jobs/messages", query.formatted(QUEUE)));
    }

    @Test
    void a_signature_that_is_cut_changed_or_missing_is_none() throws IOException {
        String fields = QUEUE.substring(0, QUEUE.indexOf("sig="));
        for (int length : new int[] {0, 1, SIGNATURE.length() / 2, SIGNATURE.length() - 3, SIGNATURE.length() - 1}) {
            assertRefused(
                    queue("GET", "jobs/messages?peekonly=true", fields + "sig=" + SIGNATURE.substring(0, length)));
        }
        assertRefused(queue("GET", "jobs/messages?peekonly=true", fields));
        assertRefused(queue("GET", "jobs/messages?peekonly=true", fields + "sig=" + SIGNATURE + "%3D"));
        assertRefused(queue("GET", "jobs/messages?peekonly=true", fields + "SIG=" + SIGNATURE));
    }

    @Test
    void a_name_of_a_field_is_decoded_once() throws IOException {
        String encoded = QUEUE.replace("sig=", "s%69g=");
        assertThat(queue("GET", "jobs/messages?peekonly=true", encoded).status())
                .isEqualTo(200);
        assertRefused(queue("GET", "jobs/messages?peekonly=true", QUEUE.replace("sig=", "s%2569g=")));
    }

    @Test
    void letters_that_mean_nothing_allow_nothing() throws IOException {
        String odd = Sas.ofQueue("jobs").with("sp", "RAUP*%xyz").query();
        assertRefused(queue("GET", "jobs/messages?peekonly=true", odd));
        assertRefused(queue("POST", "jobs/messages", odd));
    }

    @Test
    void of_two_credentials_the_header_decides_and_of_two_headers_the_first() throws IOException {
        String target = "/devstoreaccount1/jobs/messages?peekonly=true&" + QUEUE;
        String wrong = "Authorization: SharedKey devstoreaccount1:c2ln";
        String date = "x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT";
        assertRefused(server.ask(Service.QUEUE, "GET", target, "", wrong, date));
        assertRefused(server.ask(Service.QUEUE, "GET", target, "", wrong, wrong, date, date));
        assertRefused(server.ask(Service.QUEUE, "GET", target, "", "Authorization:", "Authorization: none"));
    }

    @Test
    void an_own_header_that_is_there_twice_is_refused_with_a_key() throws IOException {
        String date = "x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT";
        Answer answer = server.ask(
                Service.QUEUE,
                "GET",
                "/devstoreaccount1/?comp=list",
                "",
                "Authorization: SharedKey devstoreaccount1:c2ln",
                date,
                date);
        assertThat(answer.body()).contains("InvalidHeaderValue");
    }

    @Test
    void what_may_be_copied_is_what_may_be_read() throws IOException {
        String here = "http://127.0.0.1/";
        for (String source : List.of(
                "devstoreaccount1/files/other",
                "devstoreaccount1/secrets/mine",
                "devstoreaccount1/files/mine/../other",
                "devstoreaccount1/files/other?" + BLOB,
                "otheraccount/files/mine",
                "otheraccount/files/mine?" + BLOB)) {
            for (String path : List.of("files/mine", "files/mine?comp=block&blockid=AAAA")) {
                assertRefused(blob("PUT", path, "x-ms-copy-source: " + here + source, "x-ms-version: 2021-08-06"));
            }
        }
        assertThat(blob("GET", "files/mine").body()).isEqualTo("told nobody");
    }

    @Test
    void no_address_elsewhere_is_ever_called() throws IOException {
        try (ServerSocket elsewhere = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String authority = "127.0.0.1:" + elsewhere.getLocalPort();
            for (String source : List.of(
                    "http://" + authority + "/devstoreaccount1/files/mine",
                    "http://127.0.0.1@" + authority + "/devstoreaccount1/files/mine",
                    "http://" + authority + "#127.0.0.1/devstoreaccount1/files/mine",
                    "http://" + authority + "?@127.0.0.1/devstoreaccount1/files/mine",
                    "https://" + authority + "\\@127.0.0.1/devstoreaccount1/files/mine",
                    "//" + authority + "/devstoreaccount1/files/mine",
                    "file:///etc/hosts")) {
                assertRefused(blob("PUT", "files/mine", "x-ms-copy-source: " + source, "x-ms-version: 2021-08-06"));
            }
            elsewhere.setSoTimeout(1);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
