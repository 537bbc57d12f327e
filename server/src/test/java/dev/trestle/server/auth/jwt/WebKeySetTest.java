package dev.trestle.server.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebKeySetTest {
    @Test
    void keys_are_found_by_their_ids() {
        WebKeySet keys = WebKeySet.read(Issuer.set(Issuer.rsaKey("a", Issuer.RSA), Issuer.ecKey("b", Issuer.EC)));

        assertThat(keys.find("a")).contains(new WebKey(Algorithm.RS256, Issuer.RSA.getPublic()));
        assertThat(keys.find("b")).contains(new WebKey(Algorithm.ES256, Issuer.EC.getPublic()));
        assertThat(keys.find("c")).isEmpty();
    }

    @Test
    void keys_for_other_uses_are_passed_over() {
        String good = Issuer.rsaKey("good", Issuer.RSA);
        WebKeySet keys = WebKeySet.read(Issuer.set(
                good,
                Issuer.rsaKey("enc", Issuer.RSA).replace("\"use\":\"sig\"", "\"use\":\"enc\""),
                Issuer.rsaKey("pss", Issuer.RSA).replace("\"use\"", "\"alg\":\"PS256\",\"use\""),
                Issuer.ecKey("curve", Issuer.EC).replace("P-256", "P-521"),
                "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"AAAA\"}",
                "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}",
                "{}",
                "7"));

        assertThat(keys.find("good")).isPresent();
        for (String id : new String[] {"enc", "pss", "curve", "secret"}) {
            assertThat(keys.find(id)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | it is not a JSON Web Key Set",
                "[] | it is not a JSON Web Key Set",
                "{\"keys\":[} | it is not a JSON Web Key Set",
                "{} | it has no key with a kid for RS256 or ES256",
                "{\"keys\":[]} | it has no key with a kid for RS256 or ES256",
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"a\"}]} | a key of it has no n",
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"a\",\"n\":\"+\"}]} | a key of it has no n",
                "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\",\"x\":\"AQ\"}]} | a key of it has no y",
            })
    void what_is_no_set_of_keys_is_told_in_a_sentence(String json, String why) {
        assertThatThrownBy(() -> WebKeySet.read(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }

    @Test
    void weak_and_ambiguous_keys_are_refused() {
        assertThatThrownBy(() -> WebKeySet.read(Issuer.set(Issuer.rsaKey("a", Issuer.generate("RSA", 1024)))))
                .hasMessage("an RSA key of it has less than 2048 bits");
        assertThatThrownBy(() -> WebKeySet.read(
                        Issuer.set(Issuer.rsaKey("a", Issuer.RSA), Issuer.rsaKey("a", Issuer.OTHER_RSA))))
                .hasMessage("two keys of it have the same kid");
    }

    @Test
    void a_file_that_cannot_be_one_is_not_read(@TempDir Path folder) throws IOException {
        Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);

        assertThatThrownBy(() -> TokenVerifier.load(large, "i", "a", InstantSource.system()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TokenVerifier.load(folder.resolve("none"), "i", "a", InstantSource.system()))
                .isInstanceOf(IOException.class);
    }
}
