package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures by user delegation keys. */
class DelegationSasTest {
    private static final UserDelegation.Key KEY = Tokens.delegationKey();
    private static final Optional<String> BLOB = Optional.of("photos/p");
    private static final String HEAD = "r\n\n2026-03-03T00:00:00Z\n/blob/devstoreaccount1/photos/p\n" + Tokens.OID
            + "\n" + Tokens.TID + "\n2026-03-02T08:00:00Z\n2026-03-03T08:00:00Z\nb\n2026-06-06\n";

    private final Judge judge = new Judge(Accounts.DEVELOPMENT, false, Optional.of(Tokens.VERIFIER));

    @ParameterizedTest
    @CsvSource({
        "2018-11-09, '\n\n2018-11-09\nb\n\n\n\n\n\n'",
        "2019-12-12, '\n\n2019-12-12\nb\n\n\n\n\n\n'",
        "2020-02-10, '\n\n\n\n\n2020-02-10\nb\n\n\n\n\n\n'",
        "2020-10-02, '\n\n\n\n\n2020-10-02\nb\n\n\n\n\n\n'",
        "2020-12-06, '\n\n\n\n\n2020-12-06\nb\n\n\n\n\n\n\n'",
        "2025-05-05, '\n\n\n\n\n2025-05-05\nb\n\n\n\n\n\n\n'",
        "2025-07-05, '\n\n\n\n\n\n\n2025-07-05\nb\n\n\n\n\n\n\n'",
        "2026-02-06, '\n\n\n\n\n\n\n2026-02-06\nb\n\n\n\n\n\n\n'",
        "2026-04-06, '\n\n\n\n\n\n\n2026-04-06\nb\n\n\n\n\n\n\n\n\n'",
        "2026-06-06, '\n\n\n\n\n\n\n2026-06-06\nb\n\n\n\n\n\n\n\n\n'",
    })
    void the_lines_are_those_of_the_version(String version, String tail) {
        Map<String, String> fields = Map.of(
                "sp", "r",
                "se", "2026-03-03T00:00:00Z",
                "sv", version,
                "sr", "b",
                "skoid", Tokens.OID,
                "sktid", Tokens.TID,
                "skt", "2026-03-02T08:00:00Z",
                "ske", "2026-03-03T08:00:00Z",
                "sks", "b",
                "skv", "2026-06-06");

        judge.grant(Requests.to("/devstoreaccount1/photos/p")
                        .service(Service.BLOB)
                        .query(Sas.query(fields) + "&"
                                + Sas.query(Map.of("sig", Requests.sign(KEY.value(), HEAD + tail)))))
                .check(DeclaredPermission.GET_BLOB.permission(), BLOB);
    }

    @Test
    void a_container_and_a_snapshot_can_be_delegated_too() {
        judge.grant(Requests.with(Sas.ofDelegate("photos", KEY).with("sr", "c")))
                .check(DeclaredPermission.LIST_BLOBS.permission(), Optional.of("photos"));
        Sas snapshot = Sas.ofSnapshot("photos/p", "2026-02-01T10:00:00.1234567Z");
        Sas.ofDelegate("photos/p", KEY).signed().forEach((name, value) -> {
            if (!name.equals("sr") && !name.equals("sig")) {
                snapshot.with(name, value);
            }
        });
        judge.grant(Requests.with(snapshot.signedBy(KEY.value())))
                .check(DeclaredPermission.GET_BLOB.permission(), BLOB);
    }

    @Test
    void tags_and_searches_are_delegated_by_their_letters() {
        Grant tags = judge.grant(Requests.with(Sas.ofDelegate("photos/p", KEY).with("sp", "t")));
        tags.check(DeclaredPermission.GET_BLOB_TAGS.permission(), BLOB);
        tags.check(DeclaredPermission.SET_BLOB_TAGS.permission(), BLOB);
        Grant finds = judge.grant(
                Requests.with(Sas.ofDelegate("photos", KEY).with("sr", "c").with("sp", "f")));
        finds.check(DeclaredPermission.FIND_BLOBS_IN_CONTAINER.permission(), Optional.of("photos"));
        assertThat(Judge.refusalOf(() -> finds.check(DeclaredPermission.GET_BLOB_TAGS.permission(), BLOB))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @Test
    void permissions_and_overrides_count_as_in_any_signature() {
        Grant grant = judge.grant(
                Requests.with(Sas.ofDelegate("photos/p", KEY).with("sp", "rc").with("rsct", "text/plain")));

        assertThat(grant.responseHeaders()).isEqualTo(Map.of("Content-Type", "text/plain"));
        assertThat(grant.mayOverwrite()).isFalse();
        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.DELETE_BLOB.permission(), BLOB))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
        assertThat(Judge.refusalOf(() ->
                                grant.check(DeclaredPermission.CREATE_CONTAINER.permission(), Optional.of("photos")))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-02T08:00:00Z, true",
        "2026-03-02T07:59:59Z, false",
        "2026-03-03T07:59:59Z, true",
        "2026-03-03T08:00:00Z, false",
    })
    void a_key_counts_only_while_it_lives(String now, boolean accepted) {
        Requests request = Requests.with(Sas.ofDelegate("photos/p", KEY));
        judge.at(now);
        if (accepted) {
            assertThat(judge.grant(request)).isInstanceOf(BlobSasGrant.class);
        } else {
            assertRefused(request);
        }
    }

    @Test
    void a_signature_ends_by_itself_and_not_after_its_key() {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with("se", "2026-03-02T10:00:00Z")));
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with("st", "2026-03-02T10:00:01Z")));
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with("se", "2026-03-03T08:00:01Z")));
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).without("se")));
    }

    @ParameterizedTest
    @CsvSource({
        "skoid, other",
        "sktid, other",
        "skt, 2026-03-01T08:00:00Z",
        "ske, 2026-03-09T08:00:00Z",
        "sks, q",
        "skv, 2025-01-05",
    })
    void terms_other_than_the_keys_make_another_key(String field, String value) {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with(field, value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"skoid", "sktid", "skt", "ske", "sks", "skv", "sv", "sr", "sp"})
    void a_field_that_is_missing_is_refused(String field) {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).without(field)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomorrow", "0001-01-01", "9999-12-31T23:59:59-14:00", "2026-03-02T08:00:00\n"})
    void a_key_of_no_possible_time_is_refused(String time) {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with("skt", time)));
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with("ske", time)));
    }

    @Test
    void how_the_times_of_the_key_are_written_does_not_matter_as_long_as_they_are_signed() {
        judge.grant(Requests.with(Sas.ofDelegate("photos/p", KEY)
                        .with("skt", "2026-03-02T08:00Z")
                        .with("ske", "2026-03-03T08:00:00.0000000Z")))
                .check(DeclaredPermission.GET_BLOB.permission(), BLOB);
    }

    @Test
    void a_key_for_another_service_does_not_count() {
        UserDelegation.Key ofQueues = UserDelegation.issue(
                account(Requests.KEY),
                Tokens.OID,
                Tokens.TID,
                Tokens.ticks("2026-03-02T08:00:00Z"),
                Tokens.ticks("2026-03-03T08:00:00Z"),
                "q",
                "2026-06-06");

        assertRefused(Requests.with(Sas.ofDelegate("photos/p", ofQueues)));
    }

    @ParameterizedTest
    @CsvSource({"si, readers", "ses, scope", "srh, x-ms-date", "srq, comp", "sduoid, somebody", "suoid, somebody"})
    void what_could_not_be_held_to_is_refused(String field, String value) {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).with(field, value)));
    }

    @Test
    void a_stored_policy_adds_nothing_because_its_id_is_not_signed() {
        judge.policy(new AccessPolicy("readers", OptionalLong.empty(), OptionalLong.of(Ticks.MAX), Optional.of("r")));

        assertRefused(Requests.with(
                Sas.ofDelegate("photos/p", KEY).without("sp").without("se").with("si", "readers")));
        assertThat(judge.lookups()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "saoid, 2026-06-06, true",
        "scid, 2020-02-10, true",
        "saoid, 2019-12-12, false",
        "scid, 2018-11-09, false",
        "skdutid, 2025-07-05, true",
        "skdutid, 2025-05-05, false"
    })
    void what_a_version_does_not_sign_it_cannot_carry(String field, String version, boolean carried) {
        Requests request = Requests.with(
                Sas.ofDelegate("photos/p", KEY).with("sv", version).with(field, "x"));
        if (carried) {
            judge.grant(request).check(DeclaredPermission.GET_BLOB.permission(), BLOB);
        } else {
            assertRefused(request);
        }
    }

    @Test
    void neither_the_account_key_nor_the_delegated_one_signs_for_the_other() {
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY).signedBy(Requests.KEY)));
        assertRefused(Requests.with(Sas.ofBlob("photos/p").signedBy(KEY.value())));
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY)).path("/devstoreaccount1/photos/q"));
    }

    @Test
    void a_key_ends_with_the_account_key_it_was_derived_from() {
        Requests request = Requests.with(Sas.ofDelegate("photos/p", KEY));
        Judge rotating = judgeOf(account(Requests.OTHER_KEY, Requests.KEY));
        Judge rotated = judgeOf(account(Requests.OTHER_KEY));

        assertThat(rotating.grant(request)).isInstanceOf(BlobSasGrant.class);
        assertThat(rotated.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void accounts_that_share_a_key_do_not_share_those_derived_from_it() {
        UserDelegation.Key other = UserDelegation.issue(
                Account.of("other", Requests.KEY),
                KEY.oid(),
                KEY.tid(),
                Tokens.ticks(KEY.start()),
                Tokens.ticks(KEY.expiry()),
                KEY.service(),
                KEY.version());

        assertThat(other.value()).isNotEqualTo(KEY.value());
        assertRefused(Requests.with(Sas.ofDelegate("photos/p", other)));
    }

    @Test
    void without_an_issuer_and_in_other_services_no_such_key_is_known() {
        Requests request = Requests.with(Sas.ofDelegate("photos/p", KEY));

        assertThat(new Judge().error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        for (Service service : List.of(Service.TABLE, Service.QUEUE)) {
            assertRefused(Requests.with(Sas.ofDelegate("photos/p", KEY)).service(service));
        }
    }

    @Test
    void the_same_terms_give_the_same_key_which_is_not_printed() {
        assertThat(Tokens.delegationKey()).isEqualTo(KEY);
        assertThat(KEY.toString()).doesNotContain(KEY.value());
        assertThat(KEY.fields())
                .containsExactly(
                        Map.entry("SignedOid", Tokens.OID),
                        Map.entry("SignedTid", Tokens.TID),
                        Map.entry("SignedStart", "2026-03-02T08:00:00Z"),
                        Map.entry("SignedExpiry", "2026-03-03T08:00:00Z"),
                        Map.entry("SignedService", "b"),
                        Map.entry("SignedVersion", "2026-06-06"),
                        Map.entry("Value", KEY.value()));
    }

    private static Account account(String... keys) {
        return Account.of(Requests.ACCOUNT, keys);
    }

    private static Judge judgeOf(Account account) {
        return new Judge(Accounts.of(List.of(account)), false, Optional.of(Tokens.VERIFIER));
    }

    private void assertRefused(Requests request) {
        assertThat(judge.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }
}
