package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerAuthenticationTest {
    private final Judge judge = new Judge(Accounts.DEVELOPMENT, true, Optional.of(Tokens.VERIFIER));

    @ParameterizedTest
    @EnumSource(Service.class)
    void a_good_token_opens_everything_in_every_service(Service service) {
        Grant grant = judge.grant(with(Tokens.good()).service(service));

        for (DeclaredPermission operation : DeclaredPermission.values()) {
            grant.check(operation.permission(), Optional.empty());
        }
        assertThat(grant.caller()).contains(new Caller(Tokens.OID, Tokens.TID));
        assertThat(grant.mayOverwrite()).isTrue();
    }

    @Test
    void without_an_issuer_every_token_is_refused() {
        Judge closed = new Judge();

        assertThat(closed.error(with(Tokens.good()))).isEqualTo(StorageError.INVALID_BEARER_TOKEN);
        assertThat(closed.error(with(Tokens.good()).header("x-ms-version", "2017-11-09")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @Test
    void a_bad_token_is_challenged_and_the_refusal_says_why_only_where_it_may() {
        Judge silent = new Judge(Accounts.DEVELOPMENT, false, Optional.of(Tokens.VERIFIER));
        Requests request = with(Tokens.good() + "A");

        assertThat(judge.error(request)).isEqualTo(StorageError.INVALID_BEARER_TOKEN);
        assertThat(judge.refusal(request).text()).contains("of the token").doesNotContain(Tokens.good());
        assertThat(silent.refusal(request).text()).isEqualTo(StorageError.INVALID_BEARER_TOKEN.message());
        assertThat(judge.error(request.header("x-ms-version", "2019-07-07")))
                .isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.8.0.1, true",
        "::1, true",
        "0:0:0:0:0:0:0:1, true",
        "0:0:0:0:0:0:0:1%lo, true",
        "::ffff:127.0.0.1, true",
        "10.0.0.1, false",
        "fe80::1, false",
        "::ffff:10.0.0.1, false",
        "'', false",
    })
    void without_https_a_token_is_taken_only_from_this_machine(String address, boolean taken) {
        Requests request = with(Tokens.good()).from(address);
        if (taken) {
            assertThat(judge.grant(request)).isInstanceOf(BearerGrant.class);
        } else {
            assertThat(judge.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
        }
        assertThat(judge.grant(request.tls())).isInstanceOf(BearerGrant.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"oid\":\"a\"",
                "\"tid\":\"b\"",
                "\"sub\":\"x\"",
                "\"oid\":\"a\\nb\",\"tid\":\"b\"",
                "\"oid\":\"\",\"tid\":\"b\"",
                "\"oid\":1,\"tid\":\"b\""
            })
    void a_token_that_does_not_say_whose_it_is_gets_no_key(String claims) {
        Grant grant = judge.grant(with(Tokens.token(claims)));

        assertThat(grant.caller()).isEmpty();
        grant.check(DeclaredPermission.GET_BLOB.permission(), Optional.of("photos/p"));
        assertThat(Judge.refusalOf(() ->
                                grant.check(DeclaredPermission.GET_USER_DELEGATION_KEY.permission(), Optional.empty()))
                        .error())
                .isEqualTo(StorageError.AUTHORIZATION_FAILURE);
    }

    @Test
    void an_account_that_is_not_there_is_not_opened() {
        assertThat(judge.error(with(Tokens.good()).account("nobody"))).isEqualTo(StorageError.RESOURCE_NOT_FOUND);
    }

    private static Requests with(String token) {
        return Requests.to("/devstoreaccount1/photos/p")
                .service(Service.BLOB)
                .header("x-ms-version", "2026-06-06")
                .header("Authorization", "Bearer " + token);
    }
}
