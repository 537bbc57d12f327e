package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccountSasTest {
    private static final Optional<String> ORDERS = Optional.of("orders");

    private final Judge judge = new Judge();

    @ParameterizedTest
    @CsvSource({
        "2019-02-02, EOSta7SR2RJdeDDcnvIhZHpLf6Zafrb4oAu8oFJgw5g%3D",
        "2020-12-06, LVURfYGmWG7s9XSmRapXkV914U87SakvL2LXp7cyEig%3D",
    })
    void the_vectors_are_accepted(String version, String signature) {
        Requests request = Requests.to("/devstoreaccount1/Tables")
                .query("sp=rwdlacu&ss=t&srt=sco&se=2027-01-01T00%3A00%3A00Z&spr=https,http&sv=" + version + "&sig="
                        + signature);

        assertThat(judge.grant(request)).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.lookups()).isEmpty();
    }

    @Test
    void the_line_of_the_encryption_scope_may_be_missing_when_no_scope_is_given() {
        Sas recent = Sas.account().with("sv", "2020-12-06");

        assertThat(judge.grant(Requests.with(recent))).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.grant(Requests.with(recent.withoutScopeLine()))).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(recent.with("ses", "scope"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void an_encryption_scope_needs_a_version_that_signs_it() {
        assertThat(judge.grant(
                        Requests.with(Sas.account().with("sv", "2020-12-06").with("ses", "scope"))))
                .isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(Sas.account().with("ses", "scope"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_vector_for_queues_is_accepted() {
        Judge acct1 = new Judge(Requests.VECTOR_ACCOUNTS, false).at("2026-07-31T18:00:00Z");
        Requests request = Requests.to("/acct1/jobs")
                .service(Service.QUEUE)
                .account("acct1")
                .query("sp=rwdlacup&ss=bq&srt=sco&se=2026-08-01T00:00:00Z&spr=https,http&sv=2026-06-06"
                        + "&sig=0gNvBbK1Q27STFfnZSdxx1SvlGKwTFBbfhSrxIZfoaQ%3D");

        acct1.grant(request).check(DeclaredPermission.DELETE_QUEUE.permission(), Optional.of("jobs"));
        assertThat(acct1.grant(request.service(Service.BLOB))).isInstanceOf(AccountSasGrant.class);
        assertThat(acct1.error(request.service(Service.TABLE))).isEqualTo(StorageError.AUTHORIZATION_SERVICE_MISMATCH);
    }

    @Test
    void on_queues_too_the_line_of_the_encryption_scope_may_be_missing() {
        Sas queues = Sas.account().with("ss", "q").with("sv", "2026-06-06");

        assertThat(judge.grant(Requests.with(queues).service(Service.QUEUE))).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.grant(Requests.with(queues.withoutScopeLine()).service(Service.QUEUE)))
                .isInstanceOf(AccountSasGrant.class);
    }

    @Test
    void either_key_signs() {
        Judge both =
                new Judge(Accounts.of(List.of(Account.of(Requests.ACCOUNT, Requests.KEY, Requests.OTHER_KEY))), false);
        Requests second = Requests.with(Sas.account().signedBy(Requests.OTHER_KEY));

        assertThat(both.grant(second)).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(second)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv", "ss", "srt", "sp", "se"})
    void a_required_field_that_is_missing_or_empty_is_refused(String field) {
        assertThat(judge.error(Requests.with(Sas.account().without(field))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(Requests.with(Sas.account().with(field, ""))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void fields_without_a_signature_are_refused() {
        assertThat(judge.error(Requests.to("/devstoreaccount1/Tables").query("sv=2019-02-02&ss=t&srt=o&sp=r")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2015-02-21", "2019-2-2", "9", "latest", "２０１９-02-02"})
    void a_version_that_has_no_account_SAS_is_refused(String version) {
        assertThat(judge.error(Requests.with(Sas.account().with("sv", version))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "2027-01-01T00:00:00Z",
        "2026-03-02T10:00:01Z",
        "2026-03-02T10:00:00.0000001Z",
        "2026-03-02T10:01Z",
        "2026-03-02T12:00:01+02:00",
        "2026-03-02T02:00:01-08:00",
        "2026-03-03",
    })
    void an_expiry_ahead_is_accepted_in_every_documented_form(String expiry) {
        assertThat(judge.grant(Requests.with(Sas.account().with("se", expiry)))).isInstanceOf(AccountSasGrant.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-02T10:00:00Z", "2026-03-02T11:59:59+02:00", "2026-03-02", "soon", "2026-13-01"})
    void an_expiry_reached_or_unreadable_is_refused(String expiry) {
        assertThat(judge.error(Requests.with(Sas.account().with("se", expiry))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_signature_is_valid_from_its_start_on() {
        assertThat(judge.grant(Requests.with(Sas.account().with("st", "2026-03-02T10:00:00Z"))))
                .isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(Sas.account().with("st", "2026-03-02T10:00:00.0000001Z"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(Requests.with(Sas.account().with("st", "yesterday"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.5, 10.0.0.5, true",
        "10.0.0.5, 10.0.0.6, false",
        "10.0.0.5-10.0.1.0, 10.0.0.255, true",
        "10.0.0.5-10.0.1.0, 10.0.0.5, true",
        "10.0.0.5-10.0.1.0, 10.0.1.0, true",
        "10.0.0.5-10.0.1.0, 10.0.0.4, false",
        "10.0.0.5-10.0.1.0, 10.0.1.1, false",
        "200.0.0.0-250.0.0.0, 201.1.1.1, true",
        "10.0.0.5, ::ffff:10.0.0.5, true",
        "10.0.0.5, 0:0:0:0:0:ffff:a00:5, true",
        "10.0.0.5, ::ffff:10.0.0.6, false",
        "127.0.0.1, ::1, false",
        "10.0.0.5, fe80::1%eth0, false",
        "10.0.0.5, unknown, false",
        "10.0.0.5, .:, false",
    })
    void the_source_has_to_be_one_of_the_addresses(String allowed, String peer, boolean accepted) {
        Requests request = Requests.with(Sas.account().with("sip", allowed)).from(peer);
        if (accepted) {
            assertThat(judge.grant(request)).isInstanceOf(AccountSasGrant.class);
        } else {
            assertThat(judge.error(request)).isEqualTo(StorageError.AUTHORIZATION_SOURCE_IP_MISMATCH);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "10.0.0",
                "10.0.0.0.1",
                "10.0.0.256",
                "10.0.0.",
                "10.0.0.01",
                "10.0.0.9-10.0.0.1",
                "-",
                "1.1.1.1-",
                "::1"
            })
    void addresses_that_are_none_are_refused(String addresses) {
        assertThat(judge.error(Requests.with(Sas.account().with("sip", addresses))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_signature_for_https_needs_an_encrypted_connection() {
        assertThat(judge.grant(Requests.with(Sas.account().with("spr", "https")).tls()))
                .isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(Sas.account().with("spr", "https"))))
                .isEqualTo(StorageError.AUTHORIZATION_PROTOCOL_MISMATCH);
        assertThat(judge.error(Requests.with(Sas.account().with("spr", "http"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_services_have_to_include_the_one_addressed() {
        assertThat(judge.grant(Requests.with(Sas.account().with("ss", "bqtf")))).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(Sas.account().with("ss", "bqf"))))
                .isEqualTo(StorageError.AUTHORIZATION_SERVICE_MISMATCH);
        assertThat(judge.error(Requests.with(Sas.account()).service(Service.QUEUE)))
                .isEqualTo(StorageError.AUTHORIZATION_SERVICE_MISMATCH);
    }

    @Test
    void a_stored_policy_cannot_be_named() {
        assertThat(judge.error(Requests.with(Sas.account().with("si", "readers"))))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.lookups()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(DeclaredPermission.class)
    void a_full_signature_allows_all_but_access_policies_and_keys(DeclaredPermission operation) {
        Grant grant = judge.grant(Requests.with(Sas.account().with("sp", "rwdlacuptf")));
        Set<DeclaredPermission> closed = EnumSet.of(
                DeclaredPermission.GET_TABLE_ACL,
                DeclaredPermission.SET_TABLE_ACL,
                DeclaredPermission.GET_QUEUE_ACL,
                DeclaredPermission.SET_QUEUE_ACL,
                DeclaredPermission.GET_CONTAINER_ACL,
                DeclaredPermission.SET_CONTAINER_ACL,
                DeclaredPermission.GET_USER_DELEGATION_KEY);

        if (closed.contains(operation)) {
            assertThat(Judge.refusalOf(() -> grant.check(operation.permission(), ORDERS))
                            .error())
                    .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
        } else {
            grant.check(operation.permission(), ORDERS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET_SERVICE_PROPERTIES, s, r",
        "GET_SERVICE_STATS, s, r",
        "SET_SERVICE_PROPERTIES, s, w",
        "QUERY_TABLES, c, l",
        "CREATE_TABLE, c, c",
        "CREATE_TABLE, c, w",
        "DELETE_TABLE, c, d",
        "QUERY_ENTITIES, o, r",
        "INSERT_ENTITY, o, a",
        "UPSERT_ENTITY, o, au",
        "UPDATE_ENTITY, o, u",
        "DELETE_ENTITY, o, d",
        "LIST_QUEUES, s, l",
        "CREATE_QUEUE, c, c",
        "CREATE_QUEUE, c, w",
        "DELETE_QUEUE, c, d",
        "GET_QUEUE_METADATA, c, r",
        "SET_QUEUE_METADATA, c, w",
        "PUT_MESSAGE, o, a",
        "GET_MESSAGES, o, p",
        "PEEK_MESSAGES, o, r",
        "UPDATE_MESSAGE, o, u",
        "DELETE_MESSAGE, o, p",
        "CLEAR_MESSAGES, o, d",
        "LIST_CONTAINERS, s, l",
        "CREATE_CONTAINER, c, c",
        "CREATE_CONTAINER, c, w",
        "DELETE_CONTAINER, c, d",
        "GET_CONTAINER_PROPERTIES, c, r",
        "SET_CONTAINER_METADATA, c, w",
        "LEASE_CONTAINER, c, w",
        "BREAK_CONTAINER_LEASE, c, w",
        "BREAK_CONTAINER_LEASE, c, d",
        "LIST_BLOBS, c, l",
        "LIST_BLOB_TAGS, c, t",
        "FIND_BLOBS, o, f",
        "FIND_BLOBS_IN_CONTAINER, c, f",
        "GET_BLOB_TAGS, o, t",
        "SET_BLOB_TAGS, o, t",
        "GET_BLOB, o, r",
        "PUT_BLOB, o, c",
        "PUT_BLOB, o, w",
        "WRITE_BLOB, o, w",
        "APPEND_BLOCK, o, a",
        "APPEND_BLOCK, o, w",
        "BREAK_BLOB_LEASE, o, w",
        "BREAK_BLOB_LEASE, o, d",
        "DELETE_BLOB, o, d",
    })
    void an_operation_needs_its_resource_type_and_its_permissions(
            DeclaredPermission operation, String type, String letters) {
        Sas sas = Sas.account().with("srt", type).with("sp", letters);
        judge.grant(Requests.with(sas)).check(operation.permission(), ORDERS);

        String otherTypes = "sco".replace(type, "");
        Grant wrongType = judge.grant(Requests.with(sas.with("srt", otherTypes)));
        assertThat(Judge.refusalOf(() -> wrongType.check(operation.permission(), ORDERS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_RESOURCE_TYPE_MISMATCH);

        Grant wrongLetters = judge.grant(Requests.with(sas.with("srt", type).with("sp", "x")));
        assertThat(Judge.refusalOf(() -> wrongLetters.check(operation.permission(), ORDERS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "u"})
    void an_upsert_needs_both_add_and_update(String letters) {
        Grant grant = judge.grant(Requests.with(Sas.account().with("sp", letters)));

        assertThat(Judge.refusalOf(() -> grant.check(DeclaredPermission.UPSERT_ENTITY.permission(), ORDERS))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_PERMISSION_MISMATCH);
    }

    @Test
    void any_signature_opens_the_information_about_the_account() {
        judge.grant(Requests.with(Sas.account().with("srt", "o").with("sp", "x")))
                .check(DeclaredPermission.GET_ACCOUNT_INFORMATION.permission(), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({"c, false", "rcl, false", "w, true", "cw, true"})
    void only_who_may_write_may_overwrite(String letters, boolean allowed) {
        assertThat(judge.grant(Requests.with(Sas.account().with("sp", letters))).mayOverwrite())
                .isEqualTo(allowed);
    }

    @Test
    void an_encryption_scope_which_blobs_could_not_be_held_to_is_refused() {
        Sas sas = Sas.account().with("ss", "tb").with("sv", "2020-12-06").with("ses", "scope");

        assertThat(judge.grant(Requests.with(sas))).isInstanceOf(AccountSasGrant.class);
        assertThat(judge.error(Requests.with(sas).service(Service.BLOB))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void all_keys_are_in_scope() {
        Grant grant = judge.grant(Requests.with(Sas.account()));

        grant.checkKey(new EntityKey("any", "key"));
        assertThat(grant.scope()).isEqualTo(Filter.ALL);
    }
}
