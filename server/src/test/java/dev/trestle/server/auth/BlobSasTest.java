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
import org.junit.jupiter.params.provider.ValueSource;

class BlobSasTest {
    private static final String SNAPSHOT = "2026-02-01T10:00:00.1234567Z";

    private static final AccessPolicy READERS = new AccessPolicy(
            "readers",
            OptionalLong.empty(),
            OptionalLong.of(Ticks.of(Instant.parse("2026-03-03T10:00:00Z"))),
            Optional.of("r"));

    private final Judge judge = new Judge();
    private final Judge explaining = new Judge(Accounts.DEVELOPMENT, true);

    @Test
    void the_vector_is_accepted() {
        Judge acct1 = new Judge(Requests.VECTOR_ACCOUNTS, false).at("2026-07-31T18:00:00Z");
        String query = "sp=r&se=2026-08-01T00:00:00Z&spr=https&sv=2026-06-06&sr=b&rsct=image/jpeg"
                + "&sig=JH7FDPDsYM5e/3FUTHLDvIImNDu8n7/tOwhfaFYDJdY%3D";

        for (String path : List.of("/acct1/photos/emp/0099.jpg", "/photos/emp/0099.jpg", "/photos/emp%2F0099.jpg")) {
            Grant grant = acct1.grant(Requests.to(path)
                    .service(Service.BLOB)
                    .account("acct1")
                    .tls()
                    .query(query));

            grant.check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/emp/0099.jpg"));
            assertThat(grant.responseHeaders()).isEqualTo(Map.of("Content-Type", "image/jpeg"));
        }
        assertThat(acct1.lookups()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2011-08-18, 'r\n\n2027-01-01\n/devstoreaccount1/photos/p\n'",
        "2012-02-12, 'r\n\n2027-01-01\n/devstoreaccount1/photos/p\n\n2012-02-12'",
        "2013-08-15, 'r\n\n2027-01-01\n/devstoreaccount1/photos/p\n\n2013-08-15\n\n\n\n\n'",
        "2015-02-21, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n2015-02-21\n\n\n\n\n'",
        "2015-04-05, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2015-04-05\n\n\n\n\n'",
        "2018-03-28, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2018-03-28\n\n\n\n\n'",
        "2018-11-09, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2018-11-09\nb\n\n\n\n\n\n'",
        "2020-10-02, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2020-10-02\nb\n\n\n\n\n\n'",
        "2020-12-06, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2020-12-06\nb\n\n\n\n\n\n\n'",
        "2026-06-06, 'r\n\n2027-01-01\n/blob/devstoreaccount1/photos/p\n\n\n\n2026-06-06\nb\n\n\n\n\n\n\n'",
    })
    void the_lines_are_those_of_the_version(String version, String text) {
        Map<String, String> fields = Map.of(
                "sp", "r", "se", "2027-01-01", "sv", version, "sr", "b", "sig", Requests.sign(Requests.KEY, text));

        judge.grant(to("/devstoreaccount1/photos/p").query(Sas.query(fields)))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/p"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2009-09-19",
                "2012-02-12",
                "2013-08-15",
                "2015-02-21",
                "2015-04-05",
                "2018-11-09",
                "2020-12-06",
                "2026-06-06"
            })
    void each_version_knows_containers_and_blobs(String version) {
        judge.grant(Requests.with(Sas.ofContainer("photos").with("sv", version)))
                .check(DeclaredPermission.LIST_BLOBS.permission(), Optional.of("photos"));
        judge.grant(Requests.with(Sas.ofBlob("photos/emp/1").with("sv", version).with("st", "2026-01-01")))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/emp/1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2018-11-09", "2020-12-06", "2026-06-06"})
    void a_snapshot_is_opened_by_its_own_signature(String version) {
        Sas sas = Sas.ofSnapshot("photos/p", SNAPSHOT).with("sv", version);
        Grant grant = judge.grant(Requests.with(sas));

        grant.check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/p"));
        grant.check(DeclaredPermission.DELETE_BLOB.permission(), Optional.of("photos/p"));
        for (DeclaredPermission operation :
                List.of(DeclaredPermission.PUT_BLOB, DeclaredPermission.WRITE_BLOB, DeclaredPermission.LIST_BLOBS)) {
            assertThat(error(grant, operation, "photos/p")).isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        }
        assertRefused(Requests.with(sas)
                .query(sas.query().replace("snapshot=", "snapshot=2026-02-01T10:00:00.1234568Z&other=")));
        assertRefused(Requests.with(sas).query(sas.query().replace("snapshot=", "other=")));
    }

    @Test
    void a_snapshot_needs_a_version_that_signs_it() {
        assertRefused(Requests.with(Sas.ofSnapshot("photos/p", SNAPSHOT).with("sv", "2018-03-28")));
    }

    @ParameterizedTest
    @CsvSource({"rscc, 2012-02-12", "rsct, 2012-02-12", "sip, 2015-02-21", "spr, 2015-02-21"})
    void a_version_that_does_not_sign_a_field_cannot_carry_it(String field, String version) {
        assertRefused(Requests.with(Sas.ofBlob("photos/p").with("sv", version).with(field, "https,http")));
    }

    @ParameterizedTest
    @CsvSource({
        "ses, scope, ses",
        "srh, x-ms-date, srh",
        "srq, comp, srq",
        "sdd, 1, sdd",
        "sr, bv, 'c, b and bs'",
        "sr, d, 'c, b and bs'",
        "sr, q, 'c, b and bs'",
        "sr, C, 'c, b and bs'",
    })
    void what_is_not_served_is_refused_and_the_refusal_says_so(String field, String value, String said) {
        Requests request = Requests.with(Sas.ofBlob("photos/p").with(field, value));

        assertRefused(request);
        assertThat(explaining.refusal(request).text()).contains(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv", "sp", "se", "sr"})
    void a_required_field_that_is_missing_is_refused(String field) {
        assertRefused(Requests.with(Sas.ofBlob("photos/p").without(field)));
    }

    @Test
    void time_source_and_protocol_are_checked() {
        assertRefused(Requests.with(Sas.ofBlob("photos/p").with("se", "2026-03-02T10:00:00Z")));
        assertRefused(Requests.with(Sas.ofBlob("photos/p").with("st", "2026-03-02T10:00:01Z")));
        assertThat(judge.error(Requests.with(Sas.ofBlob("photos/p").with("sip", "10.0.0.1"))))
                .isEqualTo(StorageError.AUTHORIZATION_SOURCE_IP_MISMATCH);
        assertThat(judge.error(Requests.with(Sas.ofBlob("photos/p").with("spr", "https"))))
                .isEqualTo(StorageError.AUTHORIZATION_PROTOCOL_MISMATCH);
    }

    @Test
    void the_overrides_become_headers_of_the_answer() {
        Sas sas = Sas.ofBlob("photos/p")
                .with("rscc", "no-store")
                .with("rscd", "attachment; filename=\"p.jpg\"")
                .with("rsce", "gzip")
                .with("rscl", "de")
                .with("rsct", "text/plain");

        assertThat(judge.grant(Requests.with(sas)).responseHeaders())
                .isEqualTo(Map.of(
                        "Cache-Control", "no-store",
                        "Content-Disposition", "attachment; filename=\"p.jpg\"",
                        "Content-Encoding", "gzip",
                        "Content-Language", "de",
                        "Content-Type", "text/plain"));
        assertThat(judge.grant(Requests.with(Sas.ofBlob("photos/p"))).responseHeaders())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rSet-Cookie: b", "a\nb", "a\u0000", "a\u007f"})
    void an_override_that_no_header_can_have_is_refused(String value) {
        assertRefused(Requests.with(Sas.ofBlob("photos/p").with("rsct", value)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/devstoreaccount1/photos/emp/2",
                "/devstoreaccount1/photos/emp",
                "/devstoreaccount1/photos/emp/1/",
                "/devstoreaccount1/photos/Emp/1",
                "/devstoreaccount1/photos/",
                "/devstoreaccount1/photos",
                "/devstoreaccount1/other/emp/1",
                "/devstoreaccount1//photos/emp/1",
                "/devstoreaccount1/",
                "/devstoreaccount1",
                ""
            })
    void the_signature_is_only_for_the_blob_in_the_path(String path) {
        assertRefused(Requests.with(Sas.ofBlob("photos/emp/1")).path(path));
    }

    @Test
    void the_name_of_a_blob_is_decoded_once_and_a_plus_sign_is_one() {
        judge.grant(Requests.with(Sas.ofBlob("photos/é+ %41")).path("/devstoreaccount1/photos/%C3%A9+%20%2541"))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/é+ %41"));
    }

    @Test
    void a_name_by_itself_is_a_blob_in_the_root_container() {
        Sas sas = Sas.ofBlob("$root/logo.png");

        judge.grant(Requests.with(sas).path("/devstoreaccount1/logo.png"))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("$root/logo.png"));
        judge.grant(Requests.with(sas).path("/devstoreaccount1/$root/logo.png"))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("$root/logo.png"));
        judge.grant(Requests.with(Sas.ofContainer("$root")))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("$root/logo.png"));
        judge.grant(to("/devstoreaccount1/logo.png")
                        .query(Sas.ofContainer("$root").query()))
                .check(DeclaredPermission.GET_BLOB.permission(), Optional.of("$root/logo.png"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2015-04-05", "2018-03-28"})
    void where_the_kind_is_not_signed_one_does_not_pass_for_the_other(String version) {
        String blob = Sas.ofBlob("a/b").with("sv", version).query();
        String container = Sas.ofContainer("photos").with("sv", version).query();

        for (String path : List.of("/devstoreaccount1/a%2Fb/c", "/devstoreaccount1/a%2Fb", "/devstoreaccount1/a/b/c")) {
            assertRefused(to(path).query(blob.replace("sr=b", "sr=c")));
            assertRefused(to(path).query("restype=container&" + blob.replace("sr=b", "sr=c")));
        }
        assertRefused(to("/devstoreaccount1/photos").query(container.replace("sr=c", "sr=b")));
        assertRefused(to("/devstoreaccount1/photos").query("restype=container&" + container.replace("sr=c", "sr=b")));
    }

    @Test
    void a_line_end_cannot_move_one_field_into_the_next() {
        assertRefused(Requests.with(Sas.ofBlob("photos/p\nid")).path("/devstoreaccount1/photos/p%0Aid"));
        assertRefused(Requests.with(Sas.ofContainer("photos\nid")).path("/devstoreaccount1/photos%0Aid"));
        assertRefused(Requests.with(Sas.ofBlob("photos/p").with("rscc", "a\nb")));
    }

    @Test
    void a_stored_policy_of_the_container_fills_in_the_terms() {
        judge.policy(READERS);

        for (Sas sas : List.of(Sas.ofContainer("photos"), Sas.ofBlob("photos/p"))) {
            Grant grant = judge.grant(Requests.with(leaning(sas)));
            grant.check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/p"));
            assertThat(error(grant, DeclaredPermission.WRITE_BLOB, "photos/p"))
                    .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
        }
        assertThat(judge.lookups()).containsExactly("photos", "photos");
    }

    @Test
    void a_term_in_both_places_is_a_bad_request_and_a_policy_that_is_gone_revokes() {
        judge.policy(READERS);
        assertThat(judge.error(Requests.with(leaning(Sas.ofBlob("photos/p")).with("sp", "r"))))
                .isEqualTo(StorageError.INVALID_QUERY_PARAMETER_VALUE);

        judge.revoke("readers");
        assertRefused(Requests.with(leaning(Sas.ofBlob("photos/p"))));
        judge.policy(READERS).dropResource();
        assertRefused(Requests.with(leaning(Sas.ofBlob("photos/p"))));
    }

    @Test
    void policies_are_not_looked_up_for_a_wrong_signature() {
        assertRefused(Requests.with(leaning(Sas.ofBlob("photos/p")).signedBy(Requests.OTHER_KEY)));
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void the_kinds_do_not_pass_for_each_other() {
        assertRefused(to("/devstoreaccount1/jobs").query(Sas.ofQueue("jobs").query() + "&sr=c&restype=container"));
        assertRefused(Requests.with(Sas.ofContainer("jobs")).service(Service.QUEUE));
        assertRefused(Requests.with(Sas.ofContainer("jobs")).service(Service.TABLE));
        assertRefused(
                to("/devstoreaccount1/photos/p").query(Sas.ofBlob("photos/p").query() + "&ss=b&srt=sco"));
    }

    private static Sas leaning(Sas sas) {
        return sas.without("sp").without("se").with("si", "readers");
    }

    private static Requests to(String path) {
        return Requests.to(path).service(Service.BLOB);
    }

    private static StorageError error(Grant grant, DeclaredPermission operation, String resource) {
        return Judge.refusalOf(() -> grant.check(operation.permission(), Optional.of(resource)))
                .error();
    }

    private void assertRefused(Requests request) {
        assertThat(judge.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }
}
