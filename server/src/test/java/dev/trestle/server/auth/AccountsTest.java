package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountsTest {

    @Test
    void development_has_the_account_of_all_emulators() {
        assertThat(Accounts.DEVELOPMENT.find("devstoreaccount1")).isPresent();
        assertThat(Accounts.DEVELOPMENT.find("other")).isEmpty();
        assertThat(Accounts.DEVELOPMENT.usesDevelopmentKey()).isTrue();
    }

    @Test
    void the_development_key_is_noticed_under_any_name_and_in_second_place() {
        assertThat(Accounts.of(List.of(Account.of("shop", Requests.OTHER_KEY, Requests.KEY)))
                        .usesDevelopmentKey())
                .isTrue();
        assertThat(Accounts.of(List.of(Account.of("shop", Requests.OTHER_KEY))).usesDevelopmentKey())
                .isFalse();
    }

    @Test
    void keys_are_never_printed() {
        Account account = Account.of("shop", Requests.KEY, Requests.OTHER_KEY);

        assertThat(account).hasToString("Account[name=shop, keys=[***, ***]]");
        assertThat(Accounts.of(List.of(account)).toString()).doesNotContain(Requests.KEY, Requests.OTHER_KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not base64!", "abcde", "====", ""})
    void a_key_that_is_not_base64_is_refused_without_being_repeated(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Account.of("shop", key))
                .withMessageStartingWith("An account key has to be base64 text")
                .withMessageNotContaining(key.isEmpty() ? "''" : key)
                .withNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "Shop", "my-shop", "shöp", "abcdefghijklmnopqrstuvwxy"})
    void a_name_is_3_to_24_lower_case_letters_or_digits(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Account.of(name, Requests.KEY))
                .withMessageContaining("'" + name + "'");
    }

    @Test
    void an_account_has_one_key_or_two() {
        assertThatIllegalArgumentException().isThrownBy(() -> Account.of("shop"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Account.of("shop", Requests.KEY, Requests.KEY, Requests.KEY));
    }

    @Test
    void a_name_can_be_given_once() {
        Account account = Account.of("shop", Requests.KEY);

        assertThatIllegalArgumentException().isThrownBy(() -> Accounts.of(List.of(account, account)));
    }
}
