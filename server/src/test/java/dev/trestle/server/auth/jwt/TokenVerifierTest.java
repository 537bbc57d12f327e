package dev.trestle.server.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVerifierTest {
    private static final long NOW = Instant.parse("2026-03-02T10:00:00Z").getEpochSecond();
    private static final String RS_HEADER = "{\"alg\":\"RS256\",\"kid\":\"r1\",\"typ\":\"JWT\"}";
    private static final String ES_HEADER = "{\"alg\":\"ES256\",\"kid\":\"e1\"}";
    private static final String ISSUER = "https://sts.example.org/t/";
    private static final String AUDIENCE = "https://storage.azure.com";
    private static final String CLAIMS = claims("\"exp\":" + (NOW + 60));

    private final TokenVerifier verifier = new TokenVerifier(
            WebKeySet.read(Issuer.set(Issuer.rsaKey("r1", Issuer.RSA), Issuer.ecKey("e1", Issuer.EC))),
            ISSUER,
            AUDIENCE,
            () -> Instant.ofEpochSecond(NOW));

    @Test
    void good_tokens_of_both_algorithms_are_accepted() throws InvalidTokenException {
        Claims somebody = new Claims(Optional.of("o"), Optional.of("t"));

        assertThat(verifier.verify(Issuer.rs256(Issuer.RSA, RS_HEADER, CLAIMS))).isEqualTo(somebody);
        assertThat(verifier.verify(Issuer.es256(Issuer.EC, ES_HEADER, CLAIMS))).isEqualTo(somebody);
    }

    @Test
    void a_token_without_ids_is_good_and_says_so() throws InvalidTokenException {
        String claims = "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":" + (NOW + 1) + ",\"oid\":7}";

        assertThat(verifier.verify(Issuer.rs256(Issuer.RSA, RS_HEADER, claims)))
                .isEqualTo(new Claims(Optional.empty(), Optional.empty()));
    }

    @Test
    void the_signature_has_to_be_by_the_key_that_is_named() {
        assertRefused("signature", Issuer.rs256(Issuer.OTHER_RSA, RS_HEADER, CLAIMS));
        assertRefused("not known", Issuer.rs256(Issuer.RSA, "{\"alg\":\"RS256\",\"kid\":\"r2\"}", CLAIMS));
        assertRefused("not known", Issuer.rs256(Issuer.RSA, "{\"alg\":\"RS256\"}", CLAIMS));
        assertRefused("otherwise", Issuer.rs256(Issuer.RSA, "{\"alg\":\"RS256\",\"kid\":\"e1\"}", CLAIMS));
        assertRefused("otherwise", Issuer.es256(Issuer.EC, "{\"alg\":\"ES256\",\"kid\":\"r1\"}", CLAIMS));
    }

    @Test
    void every_part_is_signed() {
        String token = Issuer.rs256(Issuer.RSA, RS_HEADER, CLAIMS);
        String signature = token.substring(token.lastIndexOf('.'));

        assertRefused(
                "signature", Issuer.unsigned(RS_HEADER, claims("\"admin\":true,\"exp\":" + (NOW + 60))) + signature);
        assertRefused(
                "signature", Issuer.unsigned("{\"alg\":\"RS256\",\"kid\":\"r1\",\"typ\":\"at\"}", CLAIMS) + signature);
        assertRefused("signature", token.substring(0, token.lastIndexOf('.') + 1));
        assertRefused("signature", token.substring(0, token.length() - 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "", "HS256", "HS512", "RS512", "PS256", "ES512", "rs256"})
    void no_other_algorithm_is_accepted(String algorithm) {
        String header = "{\"alg\":\"" + algorithm + "\",\"kid\":\"r1\"}";

        assertRefused("neither", Issuer.unsigned(header, CLAIMS) + ".");
        assertRefused("neither", Issuer.rs256(Issuer.RSA, header, CLAIMS));
    }

    @Test
    void the_public_key_is_no_secret_to_sign_with() {
        String header = "{\"alg\":\"HS256\",\"kid\":\"r1\"}";
        byte[] der = Issuer.RSA.getPublic().getEncoded();
        byte[] pem = ("-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(der)
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);

        assertRefused("neither", Issuer.hs256(der, header, CLAIMS));
        assertRefused("neither", Issuer.hs256(pem, header, CLAIMS));
        assertRefused("signature", Issuer.hs256(der, RS_HEADER, CLAIMS));
    }

    @Test
    void a_signature_of_nothing_but_zeros_is_refused() {
        assertRefused("signature", Issuer.unsigned(ES_HEADER, CLAIMS) + "." + Issuer.base64(new byte[64]));
        assertRefused("signature", Issuer.unsigned(RS_HEADER, CLAIMS) + "." + Issuer.base64(new byte[256]));
    }

    @Test
    void an_extension_that_must_be_understood_is_not() {
        assertRefused(
                "extension",
                Issuer.rs256(
                        Issuer.RSA, "{\"alg\":\"RS256\",\"kid\":\"r1\",\"crit\":[\"b64\"],\"b64\":false}", CLAIMS));
    }

    @Test
    void a_key_that_the_token_brings_itself_does_not_count() {
        String header = "{\"alg\":\"RS256\",\"kid\":\"mine\",\"jku\":\"https://evil.example/\",\"jwk\":"
                + Issuer.rsaKey("mine", Issuer.OTHER_RSA) + "}";

        assertRefused("not known", Issuer.rs256(Issuer.OTHER_RSA, header, CLAIMS));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0, false", "-1, false", "-100000, false"})
    void a_token_ends_at_its_expiry(long ahead, boolean good) throws InvalidTokenException {
        assertGood(good, "expired", "\"exp\":" + (NOW + ahead));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\":1", "\"exp\":\"9999999999\"", "\"exp\":null", "\"exp\":true", "\"exp\":-1e300"})
    void a_token_without_an_expiry_is_refused(String claim) {
        assertRefused("expired", Issuer.rs256(Issuer.RSA, RS_HEADER, claims(claim)));
    }

    @Test
    void an_expiry_may_have_a_fraction() throws InvalidTokenException {
        assertGood(true, "", "\"exp\":" + (NOW + 1) + ".5");
        assertGood(false, "expired", "\"exp\":" + NOW + ".9");
    }

    @ParameterizedTest
    @CsvSource({"-10, true", "0, true", "300, true", "301, false"})
    void a_token_may_be_a_little_newer_than_the_clock(long ahead, boolean good) throws InvalidTokenException {
        assertGood(good, "not valid yet", "\"exp\":" + (NOW + 3600) + ",\"nbf\":" + (NOW + ahead));
    }

    @Test
    void a_start_that_is_no_number_is_refused() throws InvalidTokenException {
        assertGood(false, "not valid yet", "\"exp\":" + (NOW + 3600) + ",\"nbf\":\"0\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://sts.example.org/t", "https://sts.example.org/T/", "", "https://evil.example/"})
    void the_issuer_is_the_one_configured_to_the_letter(String issuer) {
        assertRefused(
                "Issuer did not match",
                Issuer.rs256(
                        Issuer.RSA,
                        RS_HEADER,
                        "{\"iss\":\"" + issuer + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":" + (NOW + 60) + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"https://storage.azure.com\" | true",
                "\"https://storage.azure.com/\" | true",
                "[\"a\", \"https://storage.azure.com\"] | true",
                "\"https://storage.azure.com//\" | false",
                "\"https://storage.azure.com.evil\" | false",
                "\"https://graph.microsoft.com\" | false",
                "[] | false",
                "[[\"https://storage.azure.com\"]] | false",
                "{\"https://storage.azure.com\": 1} | false",
                "null | false",
            })
    void the_audience_is_the_one_configured(String audience, boolean good) throws InvalidTokenException {
        String claims = "{\"iss\":\"" + ISSUER + "\",\"aud\":" + audience + ",\"exp\":" + (NOW + 60) + "}";
        String token = Issuer.rs256(Issuer.RSA, RS_HEADER, claims);
        if (good) {
            assertThat(verifier.verify(token)).isNotNull();
        } else {
            assertRefused("Audience did not match", token);
        }
    }

    @Test
    void a_name_given_twice_is_refused() {
        assertRefused("JSON", Issuer.rs256(Issuer.RSA, "{\"alg\":\"RS256\",\"kid\":\"r1\",\"alg\":\"RS256\"}", CLAIMS));
        assertRefused("JSON", Issuer.rs256(Issuer.RSA, RS_HEADER, claims("\"exp\":1,\"exp\":" + (NOW + 60))));
    }

    @Test
    void what_is_no_token_is_refused() {
        String token = Issuer.rs256(Issuer.RSA, RS_HEADER, CLAIMS);
        for (String text :
                List.of("", ".", "..", "a", "a.b", "e30.e30.e30.e30", "é.e30.e30", token + ".", "." + token)) {
            assertThatThrownBy(() -> verifier.verify(text)).as(text).isInstanceOf(InvalidTokenException.class);
        }
        for (String header : List.of("[]", "1", "", "{", "{}{}", "{\"alg\":\"RS256\",\"kid\":[\"r1\"]}", deep())) {
            assertThatThrownBy(() -> verifier.verify(Issuer.rs256(Issuer.RSA, header, CLAIMS)))
                    .as(header)
                    .isInstanceOf(InvalidTokenException.class);
        }
        assertRefused("JSON", Issuer.rs256(Issuer.RSA, RS_HEADER, "\"exp\""));
        assertRefused("base64url", "+" + token);
    }

    @Test
    void a_huge_token_is_refused_unread() {
        String huge = claims("\"exp\":" + (NOW + 60) + ",\"x\":\"" + "x".repeat(20_000) + "\"");

        assertRefused("too large", Issuer.rs256(Issuer.RSA, RS_HEADER, huge));
        assertRefused("too large", ".".repeat(1 << 20));
    }

    private static String deep() {
        return "{\"alg\":\"RS256\",\"kid\":\"r1\",\"x\":" + "[".repeat(3000) + "]".repeat(3000) + "}";
    }

    private static String claims(String further) {
        return "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"oid\":\"o\",\"tid\":\"t\"," + further + "}";
    }

    private void assertGood(boolean good, String why, String furtherClaims) throws InvalidTokenException {
        String token = Issuer.rs256(Issuer.RSA, RS_HEADER, claims(furtherClaims));
        if (good) {
            assertThat(verifier.verify(token)).isNotNull();
        } else {
            assertRefused(why, token);
        }
    }

    private void assertRefused(String why, String token) {
        assertThatThrownBy(() -> verifier.verify(token))
                .isInstanceOf(InvalidTokenException.class)
                .hasMessageContaining(why);
    }
}
