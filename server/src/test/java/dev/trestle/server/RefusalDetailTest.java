package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Authentication error messages of queues and blobs, in the words of the service. The clock is at 10:00 on 2 March
 * 2026.
 */
class RefusalDetailTest {
    private static final String MESSAGE = "<Message>Server failed to authenticate the request. Make sure the value of"
            + " Authorization header is formed correctly including the signature.\nRequestId:";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.QUEUE, "PUT", "/jobs", "");
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer peek(String query, String... headers) throws IOException {
        String path = "/devstoreaccount1/jobs/messages?peekonly=true";
        return server.ask(Service.QUEUE, "GET", query.isEmpty() ? path : path + "&" + query, "", headers);
    }

    private static Answer blob(String query, String... headers) throws IOException {
        return server.ask(Service.BLOB, "GET", "/devstoreaccount1/files/a?" + query, "", headers);
    }

    private static void assertDetail(Answer answer, String detail) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.head()).contains("x-ms-error-code: AuthenticationFailed");
        assertThat(answer.body())
                .contains("<Error><Code>AuthenticationFailed</Code>" + MESSAGE)
                .endsWith("</Message><AuthenticationErrorDetail>" + detail + "</AuthenticationErrorDetail></Error>");
    }

    @Test
    void a_wrong_signature_is_shown_what_was_to_be_signed() throws IOException {
        assertDetail(peek(Sas.ofQueue("other").with("spr", "https,http").query()), """
                Signature did not match. String to sign used was raup

                2027-01-01T00:00:00Z
                /queue/devstoreaccount1/jobs


                https,http
                2026-06-06""");
        assertDetail(blob(Sas.account().with("ss", "b").query().replace("sp=rwdlacup", "sp=r")), """
                Signature did not match. String to sign used was devstoreaccount1
                r
                b
                sco

                2027-01-01T00:00:00Z


                2019-02-02
                """);
    }

    @ParameterizedTest
    @CsvSource({"AAAA, Signature size is invalid", "A-A, Signature fields not well formed."})
    void what_cannot_be_a_signature_is_not_compared(String signature, String detail) throws IOException {
        String query = Sas.ofQueue("jobs").query().replaceAll("sig=[^&]*", "sig=" + signature);
        assertDetail(peek(query), detail);
    }

    @Test
    void a_wrong_key_is_shown_what_was_to_be_signed() throws IOException {
        assertDetail(
                peek(
                        "",
                        "Authorization: SharedKeyLite devstoreaccount1:AAAA",
                        "x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT"),
                "The MAC signature found in the HTTP request '***' is not the same as any computed signature. Server used"
                        + " following string to sign: 'GET\n\n\n\nx-ms-date:Mon, 02 Mar 2026 10:00:00 GMT\n"
                        + "/devstoreaccount1/devstoreaccount1/jobs/messages'.");
    }

    @ParameterizedTest
    @CsvSource({
        "X-None: 1, Request date header not specified",
        "x-ms-date: yesterday, The Date header in the request is incorrect.",
        "'x-ms-date: Mon, 02 Mar 2026 09:44:59 GMT', 'Request date header too old: ''Mon, 02 Mar 2026 09:44:59 GMT'''",
    })
    void a_date_that_cannot_be_accepted_is_reported_before_the_signature(String header, String detail)
            throws IOException {
        assertDetail(peek("", "Authorization: SharedKeyLite devstoreaccount1:AAAA", header), detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sp", "se"})
    void a_field_that_is_missing_is_named(String field) throws IOException {
        assertDetail(peek(Sas.ofQueue("jobs").without(field).query()), field + " is mandatory. Cannot be empty");
        assertDetail(
                blob(Sas.account().with("ss", "b").without(field).query()), field + " is mandatory. Cannot be empty");
    }

    @Test
    void a_signature_outside_of_its_time_is_shown_the_time() throws IOException {
        assertDetail(
                peek(Sas.ofQueue("jobs").with("st", "2026-03-03").query()),
                "Signature not valid in the specified time frame: Start [Tue, 03 Mar 2026 00:00:00 GMT] - Expiry"
                        + " [Fri, 01 Jan 2027 00:00:00 GMT] - Current [Mon, 02 Mar 2026 10:00:00 GMT]");
        assertDetail(
                blob(Sas.ofBlob("files/a")
                        .with("st", "2026-01-01")
                        .with("se", "2026-03-01")
                        .query()),
                "Signature not valid in the specified time frame: Start [Thu, 01 Jan 2026 00:00:00 GMT] - Expiry"
                        + " [Sun, 01 Mar 2026 00:00:00 GMT] - Current [Mon, 02 Mar 2026 10:00:00 GMT]");
    }

    @Test
    void without_a_start_a_signature_starts_now() throws IOException {
        assertDetail(
                peek(Sas.ofQueue("jobs").with("se", "2026-03-01").query()),
                "Signed expiry time [Sun, 01 Mar 2026 00:00:00 GMT] must be after signed start time"
                        + " [Mon, 02 Mar 2026 10:00:00 GMT]");
    }

    @ParameterizedTest
    @CsvSource({"se, never", "st, 1", "sip, here", "spr, http", "spr, 'https,https'", "sv, 1"})
    void a_field_that_cannot_be_read_is_not_well_formed(String field, String value) throws IOException {
        assertDetail(peek(Sas.ofQueue("jobs").with(field, value).query()), "Signature fields not well formed.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv", "sig", "sp", "se", "sr"})
    void a_field_given_twice_is_refused_even_with_the_same_value(String field) throws IOException {
        String query = Sas.ofBlob("files/a").query();
        String again = query.replaceAll("^(?:.*&)?(" + field + "=[^&]*).*$", "$1");
        assertThat(again).startsWith(field + "=");
        assertDetail(blob(query + "&" + again), "Signature fields not well formed.");
        assertDetail(blob(query + "&" + field + "="), "Signature fields not well formed.");
        assertThat(blob(query + "&snapshotX=1&snapshotX=2").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void a_field_given_twice_is_refused_by_every_service(Service service) throws IOException {
        String target = "/devstoreaccount1/things?" + GuardedServer.owner() + "&sp=r";
        Answer answer = server.ask(service, "GET", target, "");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("AuthenticationFailed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https,http", "http,https"})
    void both_protocols_may_be_named_in_either_order(String protocols) throws IOException {
        assertThat(peek(Sas.ofQueue("jobs").with("spr", protocols).query()).status())
                .isEqualTo(200);
        assertThat(blob(Sas.account().with("ss", "b").with("spr", protocols).query())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_policy_that_is_not_there_is_named_as_what_is_missing() throws IOException {
        assertDetail(
                peek(Sas.ofQueue("jobs")
                        .without("sp")
                        .without("se")
                        .with("si", "none")
                        .query()),
                "SAS identifier cannot be found for specified signed identifier");
    }

    @Test
    void what_the_caller_may_not_do_has_no_detail() throws IOException {
        Answer answer = peek(Sas.ofQueue("jobs").with("sp", "a").query());
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body())
                .contains("<Code>AuthorizationPermissionMismatch</Code>")
                .doesNotContain("AuthenticationErrorDetail");
    }

    @Test
    void tables_have_no_place_for_a_detail() throws IOException {
        Answer answer = server.ask(
                Service.TABLE,
                "GET",
                "/devstoreaccount1/Tables?" + GuardedServer.owner().replace("sp=r", "sp=x"),
                "");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).doesNotContain("Detail", "String to sign");
    }
}
