package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTest {
    private static final String KEY = "c2VjcmV0LWtleQ==";
    private static final String SAS = "sv=2019-02-02&sig=s3cr3t%3D";

    private static Endpoint.Given given(String url, String account, String key, String sas) {
        return new Endpoint.Given(url, optional(account), optional(key), optional(sas));
    }

    private static Optional<String> optional(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:10002/devstoreaccount1, 127.0.0.1, 10002, /devstoreaccount1, devstoreaccount1",
        "http://127.0.0.1:10002/devstoreaccount1/, 127.0.0.1, 10002, /devstoreaccount1, devstoreaccount1",
        "http://localhost:8080, localhost, 8080, /devstoreaccount1, devstoreaccount1",
        "http://[::1]:10002, [::1], 10002, /devstoreaccount1, devstoreaccount1",
        "https://mine.table.core.windows.net, mine.table.core.windows.net, 443, '', mine",
        "https://mine.table.core.windows.net/, mine.table.core.windows.net, 443, '', mine",
        "http://tables.example/mine, tables.example, 80, /mine, mine",
    })
    void the_account_is_in_the_path_or_in_the_host(String url, String host, int port, String path, String account) {
        Endpoint endpoint = Endpoint.of(given(url, "", KEY, ""));
        assertThat(endpoint.address().host()).isEqualTo(host);
        assertThat(endpoint.address().port()).isEqualTo(port);
        assertThat(endpoint.address().tls()).isEqualTo(url.startsWith("https"));
        assertThat(endpoint.basePath()).isEqualTo(path);
        assertThat(endpoint.account()).isEqualTo(account);
    }

    @Test
    void an_account_may_be_named_where_the_address_does_not_tell_it() {
        Endpoint hostStyle = Endpoint.of(given("https://tables.example", "mine", KEY, ""));
        assertThat(hostStyle.basePath()).isEmpty();
        assertThat(hostStyle.account()).isEqualTo("mine");
        Endpoint pathStyle = Endpoint.of(given("http://10.0.0.1:10002", "mine", KEY, ""));
        assertThat(pathStyle.basePath()).isEqualTo("/mine");
    }

    @Test
    void the_development_account_needs_no_credentials_on_this_machine_only() {
        assertThat(Endpoint.of(Endpoint.Given.url(Endpoint.DEVELOPMENT)).credential())
                .isInstanceOf(Credential.AccountKey.class);
        for (String url : new String[] {"http://tables.example/devstoreaccount1", "http://127.0.0.1:10002/mine"}) {
            assertThatThrownBy(() -> Endpoint.of(Endpoint.Given.url(url)))
                    .hasMessage("The endpoint " + url + " needs a key or a shared access signature.");
        }
    }

    @Test
    void a_signature_may_be_given_apart_or_in_the_address() {
        assertThat(Endpoint.of(given("https://mine.example?" + SAS, "", "", "")).credential())
                .isEqualTo(new Credential.Signature(SAS));
        assertThat(Endpoint.of(given("https://mine.example", "", "", "?" + SAS)).credential())
                .isEqualTo(new Credential.Signature(SAS));
        assertThatThrownBy(() -> Endpoint.of(given("https://mine.example?" + SAS, "", KEY, "")))
                .hasMessage("The endpoint https://mine.example is given a key and a shared access signature;"
                        + " one is enough.");
    }

    @Test
    void no_secret_is_ever_printed() {
        Endpoint.Given given = given("https://mine.example?" + SAS, "", "", "");
        assertThat(given.toString() + Endpoint.of(given) + Endpoint.of(given).credential())
                .doesNotContain("s3cr3t");
        Endpoint keyed = Endpoint.of(given("https://mine.example", "", KEY, ""));
        assertThat(keyed + " " + keyed.credential()).isEqualTo("https://mine.example mine:***");
        for (Endpoint.Given bad : new Endpoint.Given[] {
            given("ftp://mine.example?" + SAS, "", "", ""),
            given("not an address?" + SAS, "", "", ""),
            given("https://mine.example", "", "s3cr3t!", "")
        }) {
            assertThatThrownBy(() -> Endpoint.of(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("s3cr3t");
        }
    }
}
