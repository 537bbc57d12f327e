package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserDelegationXmlTest {
    private static final long NOW = ticks("2026-07-31T18:00:00Z");

    @Test
    void the_time_of_a_key_is_read() {
        assertThat(read("<?xml version=\"1.0\" encoding=\"utf-8\"?><KeyInfo><Start>2026-07-31T18:00:00Z</Start>"
                        + "<Expiry>2026-08-01T18:00:00Z</Expiry></KeyInfo>"))
                .isEqualTo(new UserDelegationXml.KeyInfo(ticks("2026-07-31T18:00:00Z"), ticks("2026-08-01T18:00:00Z")));
        assertThat(read("<KeyInfo><Expiry>2026-08-01T18:00:00Z</Expiry></KeyInfo>"))
                .isEqualTo(new UserDelegationXml.KeyInfo(NOW, ticks("2026-08-01T18:00:00Z")));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-07-31T18:00:00Z, 2026-08-07T18:00:00Z, true",
        "2026-07-31T18:00:00Z, 2026-08-07T18:00:01Z, false",
        "2026-08-07T17:59:59Z, 2026-08-07T18:00:00Z, true",
        "2026-08-01T18:00:00Z, 2026-08-01T18:00:00Z, false",
        "2026-08-02T18:00:00Z, 2026-08-01T18:00:00Z, false",
        "2026-07-30T18:00:00Z, 2026-07-31T18:00:00Z, false",
        "2026-07-30T18:00:00Z, 2026-07-31T18:00:01Z, true",
        "now, 2026-08-01T18:00:00Z, false",
        "2026-07-31T18:00:00Z, tomorrow, false",
        "'', 2026-08-01T18:00:00Z, false",
        "2026-07-31T18:00:00Z, '', false",
        "0001-01-01, 2026-08-01T18:00:00Z, false",
        "2026-07-31, 9999-12-31T23:59:59-14:00, false",
    })
    void a_key_ends_after_it_starts_and_within_seven_days(String start, String expiry, boolean good) {
        String document = "<KeyInfo><Start>" + start + "</Start><Expiry>" + expiry + "</Expiry></KeyInfo>";
        if (good) {
            assertThat(read(document).expiry()).isEqualTo(ticks(expiry));
        } else {
            assertRefused(StorageError.INVALID_XML_NODE_VALUE, document);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "<KeyInfo>",
                "<KeyInfo/>",
                "<Other><Expiry>2026-08-01T18:00:00Z</Expiry></Other>",
                "<KeyInfo><Start>2026-07-31T18:00:00Z</Start></KeyInfo>",
                "<KeyInfo><Expiry>2026-08-01T18:00:00Z</Expiry><DelegatedUserTid>t</DelegatedUserTid></KeyInfo>",
                "<!DOCTYPE KeyInfo [<!ENTITY e \"2026-08-01\">]><KeyInfo><Expiry>&e;</Expiry></KeyInfo>",
                "<KeyInfo><Expiry>2026-08-01T18:00:00Z</Expiry></KeyInfo><KeyInfo/>"
            })
    void what_is_no_such_document_is_400_InvalidXmlDocument(String document) {
        assertRefused(StorageError.INVALID_XML_DOCUMENT, document);
    }

    @Test
    void a_key_is_written_in_the_order_of_its_elements() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("SignedOid", "o");
        fields.put("SignedTid", "<t>");
        fields.put("Value", "AA==");

        assertThat(new String(UserDelegationXml.write(fields), StandardCharsets.UTF_8))
                .isEqualTo("\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><UserDelegationKey><SignedOid>o</SignedOid>"
                        + "<SignedTid>&lt;t&gt;</SignedTid><Value>AA==</Value></UserDelegationKey>");
    }

    private static UserDelegationXml.KeyInfo read(String document) {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        return UserDelegationXml.read(bytes, 0, bytes.length, NOW);
    }

    private static void assertRefused(StorageError error, String document) {
        assertThatThrownBy(() -> read(document))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(error));
    }

    private static long ticks(String instant) {
        return Ticks.of(Instant.parse(instant));
    }
}
