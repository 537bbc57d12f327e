package dev.trestle.server.auth;

import static dev.trestle.server.auth.Requests.DATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedKeyTest {
    private static final String TABLES = "/devstoreaccount1/Tables";

    private final Judge judge = new Judge();

    @Test
    void the_vector_of_a_post_is_accepted() {
        assertOwner(Requests.to(TABLES)
                .method("POST")
                .header("Content-Type", "application/json")
                .header("x-ms-date", DATE)
                .header("Authorization", "SharedKey devstoreaccount1:x8qX/cGuCnVhptH2yBF8jbv7BsoK83pQGjlztr1o5Is="));
    }

    @Test
    void the_vector_of_the_lite_form_is_accepted() {
        assertOwner(Requests.to(TABLES)
                .header("x-ms-date", DATE)
                .header(
                        "Authorization",
                        "SharedKeyLite devstoreaccount1:RBKvEXe+uXUDc7NFlGBy6gU1xcHuNmpBEThSe3XdKM4="));
    }

    @Test
    void the_vector_with_a_component_is_accepted_and_other_parameters_are_not_signed() {
        assertOwner(Requests.to("/devstoreaccount1/orders")
                .query("timeout=30&comp=acl&restype=x")
                .header("x-ms-date", DATE)
                .header("Authorization", "SharedKey devstoreaccount1:65FMWPeiZcykWxoZJSYdy696cSx1NkG3T4Ev5lr/gBw="));
    }

    @Test
    void the_vector_of_a_path_as_it_was_sent_is_accepted() {
        assertOwner(Requests.to("/orders(PartitionKey='a%27%27b',RowKey='1')")
                .header("x-ms-date", DATE)
                .header(
                        "Authorization",
                        "SharedKeyLite devstoreaccount1:HmDj8qh5gwBTpD3FO26TbImPrnF9Wl6yNzOfGuH/WlE="));
    }

    @Test
    void an_empty_path_is_signed_as_a_slash() {
        assertOwner(Requests.to("").header("Date", DATE).sharedKeyLite(DATE + "\n/devstoreaccount1/"));
    }

    @Test
    void the_owner_may_do_everything_everywhere() {
        Grant grant = judge.grant(lite());

        for (DeclaredPermission operation :
                EnumSet.complementOf(EnumSet.of(DeclaredPermission.GET_USER_DELEGATION_KEY))) {
            grant.check(operation.permission(), Optional.empty());
        }
        grant.checkKey(new EntityKey("", ""));
        assertThat(grant.scope()).isEqualTo(Filter.ALL);
    }

    @Test
    void a_user_delegation_key_is_not_for_who_has_the_account_key() {
        Grant grant = judge.grant(lite());

        assertThat(Judge.refusalOf(() ->
                                grant.check(DeclaredPermission.GET_USER_DELEGATION_KEY.permission(), Optional.empty()))
                        .error())
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(grant.mayOverwrite()).isTrue();
        assertThat(grant.responseHeaders()).isEmpty();
        assertThat(grant.caller()).isEmpty();
        assertThat(grant.anonymous()).isFalse();
    }

    @Test
    void either_key_signs_and_a_withdrawn_one_no_longer_does() {
        String text = DATE + "\n/devstoreaccount1" + TABLES;
        Requests first = Requests.to(TABLES).header("x-ms-date", DATE).sharedKeyLite(text);
        Requests second = Requests.to(TABLES)
                .header("x-ms-date", DATE)
                .header("Authorization", "SharedKeyLite devstoreaccount1:" + Requests.sign(Requests.OTHER_KEY, text));
        Judge both = judgeOf(Requests.KEY, Requests.OTHER_KEY);
        Judge rotated = judgeOf(Requests.OTHER_KEY);

        assertThat(both.grant(first)).isEqualTo(new OwnerGrant());
        assertThat(both.grant(second)).isEqualTo(new OwnerGrant());
        assertThat(rotated.grant(second)).isEqualTo(new OwnerGrant());
        assertThat(rotated.error(first)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    private static Judge judgeOf(String... keys) {
        return new Judge(Accounts.of(List.of(Account.of(Requests.ACCOUNT, keys))), false);
    }

    @Test
    void either_date_may_be_the_signed_one() {
        String other = "Mon, 02 Mar 2026 10:00:01 GMT";
        for (String signed : List.of(DATE, other)) {
            assertOwner(Requests.to(TABLES)
                    .header("x-ms-date", DATE)
                    .header("Date", other)
                    .sharedKey("GET\n\n\n" + signed + "\n/devstoreaccount1" + TABLES));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/devstoreaccount1/Tables", "/devstoreaccount1-secondary/Tables"})
    void on_the_secondary_the_path_may_be_signed_with_the_suffix_or_without(String signedPath) {
        assertOwner(Requests.to("/devstoreaccount1-secondary/Tables")
                .header("x-ms-date", DATE)
                .sharedKeyLite(DATE + "\n/devstoreaccount1" + signedPath));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-02T10:15:00Z, true",
        "2026-03-02T10:15:00.001Z, false",
        "2026-03-02T09:45:00Z, true",
        "2026-03-02T09:44:59.999Z, false",
    })
    void a_date_may_be_fifteen_minutes_off_either_way(String now, boolean accepted) {
        judge.at(now);
        if (accepted) {
            assertOwner(lite());
        } else {
            assertThat(judge.error(lite())).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void a_request_without_a_readable_date_is_refused() {
        assertThat(judge.error(Requests.to(TABLES).sharedKeyLite("\n/devstoreaccount1" + TABLES)))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertThat(judge.error(Requests.to(TABLES)
                        .header("x-ms-date", "today")
                        .sharedKeyLite("today\n/devstoreaccount1" + TABLES)))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void the_order_and_case_of_headers_do_not_matter() {
        List<Map.Entry<String, String>> headers = new ArrayList<>(List.of(
                Map.entry("Content-MD5", "kPOkTwxQHHsuRmAOGM2XMg=="),
                Map.entry("Content-Type", "application/json"),
                Map.entry("x-ms-date", DATE),
                Map.entry("x-ms-version", "2019-02-02"),
                Map.entry("Accept", "application/json")));
        String text = "PUT\nkPOkTwxQHHsuRmAOGM2XMg==\napplication/json\n" + DATE + "\n/devstoreaccount1" + TABLES;
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            Collections.shuffle(headers, random);
            Requests request = Requests.to(TABLES).method("PUT").sharedKey(text);
            for (Map.Entry<String, String> header : headers) {
                String name = header.getKey();
                request.header(
                        random.nextBoolean() ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT),
                        header.getValue());
            }
            assertOwner(request);
        }
    }

    @Test
    void everything_that_is_signed_is_bound() {
        List<UnaryOperator<Requests>> changes = List.of(
                request -> request.method("PUT"),
                request -> request.header("Content-MD5", "other"),
                request -> request.header("Content-Type", "application/xml"),
                request -> request.header("x-ms-date", "Mon, 02 Mar 2026 10:00:01 GMT"),
                request -> request.path("/devstoreaccount1/tables"),
                request -> request.query("comp=acl"));
        for (UnaryOperator<Requests> change : changes) {
            Requests request = Requests.to(TABLES)
                    .method("POST")
                    .header("Content-MD5", "md5")
                    .header("Content-Type", "application/json")
                    .header("x-ms-date", DATE)
                    .sharedKey("POST\nmd5\napplication/json\n" + DATE + "\n/devstoreaccount1" + TABLES);
            assertOwner(request);
            assertThat(judge.error(change.apply(request))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void a_scheme_is_read_in_any_case() {
        Requests request = Requests.to(TABLES).header("x-ms-date", DATE);
        String signature = Requests.sign(Requests.KEY, DATE + "\n/devstoreaccount1" + TABLES);

        assertOwner(request.header("Authorization", "sharedkeylite  devstoreaccount1:" + signature));
    }

    @Test
    void the_account_signed_for_has_to_be_the_one_addressed() {
        Judge two = new Judge(
                Accounts.of(List.of(Account.of("devstoreaccount1", Requests.KEY), Account.of("shop", Requests.KEY))),
                false);

        assertThat(two.error(lite().account("shop"))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void an_unknown_account_is_not_found() {
        assertThat(judge.error(lite().account("nobody"))).isEqualTo(StorageError.RESOURCE_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SharedKey",
                "SharedKey ",
                "SharedKey devstoreaccount1",
                "SharedKey devstoreaccount1:",
                "SharedKey :c2ln",
                "Basic dXNlcjpwYXNz",
                "devstoreaccount1:c2ln"
            })
    void a_malformed_header_is_400_InvalidAuthenticationInfo(String header) {
        assertThat(judge.error(Requests.to(TABLES).header("x-ms-date", DATE).header("Authorization", header)))
                .isEqualTo(StorageError.INVALID_AUTHENTICATION_INFO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not base64", "AAAA", "RBKvEXe+uXUDc7NFlGBy6gU1xcHuNmpBEThSe3XdKM5="})
    void a_wrong_signature_is_403_AuthenticationFailed(String signature) {
        assertThat(judge.error(Requests.to(TABLES)
                        .header("x-ms-date", DATE)
                        .header("Authorization", "SharedKeyLite devstoreaccount1:" + signature)))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "2020-12-06, NO_AUTHENTICATION_INFORMATION, INVALID_BEARER_TOKEN",
        "2021-02-12, NO_AUTHENTICATION_INFORMATION, INVALID_BEARER_TOKEN",
        "2019-02-02, AUTHENTICATION_FAILED, AUTHENTICATION_FAILED",
        ", AUTHENTICATION_FAILED, AUTHENTICATION_FAILED",
    })
    void without_known_credentials_the_version_decides_between_401_and_403(
            String version, StorageError withNone, StorageError withBearer) {
        Requests request = Requests.to(TABLES);
        if (version != null) {
            request.header("x-ms-version", version);
        }

        assertThat(judge.error(request)).isEqualTo(withNone);
        assertThat(judge.error(request.header("Authorization", "Bearer e30.e30.e30")))
                .isEqualTo(withBearer);
    }

    @Test
    void the_header_is_judged_even_when_the_address_carries_a_good_signature() {
        assertThat(judge.error(Requests.with(Sas.account())
                        .header("x-ms-date", DATE)
                        .header("Authorization", "SharedKey devstoreaccount1:AAAA")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
        assertOwner(lite().query("sig=garbage&sv=never"));
    }

    @Test
    void other_services_have_other_forms() {
        assertThat(judge.error(lite().service(Service.QUEUE))).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    private static Requests lite() {
        return Requests.to(TABLES).header("x-ms-date", DATE).sharedKeyLite(DATE + "\n/devstoreaccount1" + TABLES);
    }

    private void assertOwner(Requests request) {
        assertThat(judge.grant(request)).isEqualTo(new OwnerGrant());
    }
}
