package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSasTest {
    private static final Optional<String> JOBS = Optional.of("jobs");

    private static final Map<DeclaredPermission, String> OPEN = Map.of(
            DeclaredPermission.GET_QUEUE_METADATA, "r",
            DeclaredPermission.PUT_MESSAGE, "a",
            DeclaredPermission.GET_MESSAGES, "p",
            DeclaredPermission.PEEK_MESSAGES, "r",
            DeclaredPermission.DELETE_MESSAGE, "p",
            DeclaredPermission.UPDATE_MESSAGE, "u");

    private static final AccessPolicy WORKERS = new AccessPolicy(
            "workers",
            OptionalLong.empty(),
            OptionalLong.of(Ticks.of(Instant.parse("2026-03-03T10:00:00Z"))),
            Optional.of("ap"));

    private final Judge judge = new Judge();

    @Test
    void the_vector_is_accepted() {
        Judge acct1 = new Judge(Requests.VECTOR_ACCOUNTS, false).at("2026-07-31T18:00:00Z");

        for (String path : List.of("/acct1/jobs", "/acct1-secondary/jobs", "/jobs", "/jobs/messages/1")) {
            acct1.grant(Requests.to(path)
                            .service(Service.QUEUE)
                            .account("acct1")
                            .tls()
                            .query("sp=raup&se=2026-08-01T00:00:00Z&spr=https&sv=2026-06-06"
                                    + "&sig=Mu1I6DZAJW1hrItkO%2B/uQ77FDZdUyhgvneQMKxXFdpg%3D"))
                    .check(DeclaredPermission.PUT_MESSAGE.permission(), JOBS);
        }
        assertThat(acct1.lookups()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2009-09-19",
                "2011-08-18",
                "2012-02-12",
                "2014-02-14",
                "2015-02-21",
                "2015-04-05",
                "2020-12-06",
                "2026-06-06"
            })
    void each_version_has_its_string_to_sign(String version) {
        judge.grant(Requests.with(Sas.ofQueue("jobs").with("sv", version).with("st", "2026-01-01")))
                .check(DeclaredPermission.PEEK_MESSAGES.permission(), JOBS);
    }

    @ParameterizedTest
    @CsvSource({
        "2011-08-18, 'raup\n\n2027-01-01\n/devstoreaccount1/jobs\n'",
        "2012-02-12, 'raup\n\n2027-01-01\n/devstoreaccount1/jobs\n\n2012-02-12'",
        "2014-02-14, 'raup\n\n2027-01-01\n/devstoreaccount1/jobs\n\n2014-02-14'",
        "2015-02-21, 'raup\n\n2027-01-01\n/queue/devstoreaccount1/jobs\n\n2015-02-21'",
        "2015-04-05, 'raup\n\n2027-01-01\n/queue/devstoreaccount1/jobs\n\n\n\n2015-04-05'",
    })
    void the_lines_are_those_of_the_version(String version, String text) {
        String signature = Requests.sign(Requests.KEY, text);

        assertThat(judge.grant(to("/devstoreaccount1/jobs")
                        .query(Sas.query(Map.of("sp", "raup", "se", "2027-01-01", "sv", version, "sig", signature)))))
                .isInstanceOf(ServiceSasGrant.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2009-09-18", "2026", "x", ""})
    void a_version_that_is_none_is_refused(String version) {
        assertRefused(Requests.with(Sas.ofQueue("jobs").with("sv", version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv", "sp", "se"})
    void a_required_field_that_is_missing_is_refused(String field) {
        assertRefused(Requests.with(Sas.ofQueue("jobs").without(field)));
    }

    @ParameterizedTest
    @CsvSource({"sip, 127.0.0.1", "spr, 'https,http'"})
    void a_version_that_does_not_sign_source_and_protocol_cannot_carry_them(String field, String value) {
        assertRefused(Requests.with(Sas.ofQueue("jobs").with("sv", "2015-02-21").with(field, value)));
    }

    @Test
    void time_source_and_protocol_are_checked() {
        assertRefused(Requests.with(Sas.ofQueue("jobs").with("se", "2026-03-02T10:00:00Z")));
        assertRefused(Requests.with(Sas.ofQueue("jobs").with("st", "2026-03-02T10:00:01Z")));
        assertThat(judge.error(Requests.with(Sas.ofQueue("jobs").with("sip", "10.0.0.1"))))
                .isEqualTo(StorageError.AUTHORIZATION_SOURCE_IP_MISMATCH);
        assertThat(judge.error(Requests.with(Sas.ofQueue("jobs").with("spr", "https"))))
                .isEqualTo(StorageError.AUTHORIZATION_PROTOCOL_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/devstoreaccount1/other", "/devstoreaccount1/jobs2", "/devstoreaccount1/Jobs", "/other/jobs"})
    void the_signature_is_only_for_the_queue_in_the_path(String path) {
        assertRefused(Requests.with(Sas.ofQueue("jobs")).path(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/devstoreaccount1", "/devstoreaccount1/", "//jobs"})
    void a_path_without_a_queue_is_refused(String path) {
        assertRefused(Requests.with(Sas.ofQueue("jobs")).path(path));
        assertRefused(Requests.with(Sas.ofQueue("")).path(path));
    }

    @Test
    void a_queue_may_be_called_like_its_account() {
        Sas sas = Sas.ofQueue("devstoreaccount1");

        judge.grant(Requests.with(sas).path("/devstoreaccount1/messages").hostStyle())
                .check(DeclaredPermission.PUT_MESSAGE.permission(), Optional.of("devstoreaccount1"));
    }

    @Test
    void the_name_in_the_path_is_decoded() {
        judge.grant(Requests.with(Sas.ofQueue("jobs")).path("/devstoreaccount1/j%6Fbs/messages"))
                .check(DeclaredPermission.PUT_MESSAGE.permission(), JOBS);
    }

    @Test
    void a_line_end_cannot_move_one_field_into_the_next() {
        assertRefused(Requests.with(Sas.ofQueue("jobs\nid")).path("/devstoreaccount1/jobs%0Aid"));
        assertRefused(Requests.with(Sas.ofQueue("jobs").with("si", "a\nb")));
    }

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void only_messages_and_the_metadata_are_opened(DeclaredPermission operation) {
        Grant grant = judge.grant(Requests.with(Sas.ofQueue("jobs").with("sp", "raupdwlc")));

        if (OPEN.containsKey(operation)) {
            grant.check(operation.permission(), JOBS);
        } else {
            assertThat(Judge.refusalOf(() -> grant.check(operation.permission(), JOBS))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        }
    }

    @Test
    void an_operation_needs_its_permission() {
        OPEN.forEach((operation, letter) -> {
            judge.grant(Requests.with(Sas.ofQueue("jobs").with("sp", letter))).check(operation.permission(), JOBS);
            Grant others = judge.grant(Requests.with(Sas.ofQueue("jobs").with("sp", "raup".replace(letter, ""))));

            assertThat(Judge.refusalOf(() -> others.check(operation.permission(), JOBS))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
        });
    }

    @Test
    void other_queues_stay_closed() {
        Grant grant = judge.grant(Requests.with(Sas.ofQueue("jobs")));

        for (Optional<String> other : List.of(Optional.of("jobs2"), Optional.<String>empty())) {
            assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.PUT_MESSAGE.permission(), other))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        }
    }

    @Test
    void a_stored_policy_fills_in_the_terms() {
        judge.policy(WORKERS);
        Grant grant = judge.grant(Requests.with(leaning()));

        grant.check(DeclaredPermission.GET_MESSAGES.permission(), JOBS);
        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.PEEK_MESSAGES.permission(), JOBS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
        assertThat(judge.lookups()).containsExactly("jobs");
    }

    @Test
    void a_term_in_both_places_is_a_bad_request() {
        judge.policy(WORKERS);

        for (String field : List.of("sp", "se")) {
            assertThat(judge.error(Requests.with(leaning().with(field, field.equals("sp") ? "a" : "2027-01-01"))))
                    .isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
    }

    @Test
    void a_policy_that_is_gone_or_never_was_revokes_the_signature() {
        judge.policy(WORKERS);
        assertThat(judge.grant(Requests.with(leaning()))).isNotNull();

        assertRefused(Requests.with(leaning().with("si", "Workers")));
        judge.revoke("workers");
        assertRefused(Requests.with(leaning()));
        judge.policy(WORKERS).dropResource();
        assertRefused(Requests.with(leaning()));
    }

    @Test
    void policies_are_not_looked_up_for_a_wrong_signature() {
        assertRefused(Requests.with(leaning().signedBy(Requests.OTHER_KEY)));
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void a_signature_by_a_user_delegation_key_is_refused_and_the_refusal_says_why() {
        String query = Sas.ofQueue("jobs").query() + "&sr=q&skoid=1&sktid=2&skt=2026-01-01&ske=2027-01-01&sks=q";
        Judge explaining = new Judge(Accounts.DEVELOPMENT, true);

        assertRefused(to("/devstoreaccount1/jobs").query(query));
        assertThat(explaining.refusal(to("/devstoreaccount1/jobs").query(query)).text())
                .endsWith("This server does not know any user delegation keys.");
    }

    @Test
    void the_kinds_do_not_pass_for_each_other() {
        Sas account = Sas.account().with("ss", "qt");
        assertRefused(to("/devstoreaccount1/jobs").query(Sas.ofQueue("jobs").query() + "&ss=q&srt=sco"));
        assertRefused(to("/devstoreaccount1/jobs").query(Sas.table("jobs").query()));
        assertRefused(to("/devstoreaccount1/jobs").query(Sas.query(withoutTypes(account))));
        assertRefused(Requests.with(Sas.ofQueue("jobs")).service(Service.TABLE));
        assertThat(judge.grant(to("/devstoreaccount1/jobs").query(account.query() + "&tn=jobs")))
                .isInstanceOf(AccountSasGrant.class);
    }

    private static Map<String, String> withoutTypes(Sas account) {
        Map<String, String> fields = account.signed();
        fields.remove("srt");
        return fields;
    }

    private static Sas leaning() {
        return Sas.ofQueue("jobs").without("sp").without("se").with("si", "workers");
    }

    private static Requests to(String path) {
        return Requests.to(path).service(Service.QUEUE);
    }

    private void assertRefused(Requests request) {
        assertThat(judge.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }
}
