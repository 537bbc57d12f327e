package dev.trestle.server.codec;

import static dev.trestle.server.codec.Refusals.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.blob.UserDelegationXml;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a document is at fault, as the service counts. */
class XmlErrorPlaceTest {
    private static final String REASON = "Retention days must be greater than 0 and less than or equal to 365 days.";

    private static StorageException blobProperties(String document) {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        return refusalOf(() -> ServicePropertiesXml.readForBlobs(ServiceProperties.DEFAULT, bytes, 0, bytes.length));
    }

    private static void assertPlace(StorageException refusal, String line, String column, String reason) {
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
        assertThat(refusal.details())
                .containsExactly(entry("LineNumber", line), entry("LinePosition", column), entry("Reason", reason));
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 89", "366, 2, 91", "-1, 2, 90"})
    void days_out_of_range_are_at_the_tag_that_follows_them(String days, String line, String column) {
        assertPlace(
                blobProperties(
                        "<?xml version='1.0' encoding='utf-8'?>\n<StorageServiceProperties><DeleteRetentionPolicy>"
                                + "<Enabled>true</Enabled><Days>" + days
                                + "</Days></DeleteRetentionPolicy></StorageServiceProperties>"),
                line,
                column,
                REASON);
    }

    @Test
    void the_tag_that_follows_may_open_an_element_or_stand_on_the_next_line() {
        String open = "<StorageServiceProperties>\n<DeleteRetentionPolicy><Enabled>true</Enabled>";
        String close = "</DeleteRetentionPolicy></StorageServiceProperties>";
        assertPlace(blobProperties(open + "<Days>0</Days><Other/>" + close), "2", "62", REASON);
        assertPlace(blobProperties(open + "\n<Days>0</Days>\n" + close), "3", "15", REASON);
    }

    @Test
    void a_document_that_says_what_it_must_not_has_no_place() {
        String rule = "<CorsRule><AllowedOrigins>www.xyz.com</AllowedOrigins><AllowedMethods>GET</AllowedMethods>"
                + "<AllowedHeaders /><ExposedHeaders /><MaxAgeInSeconds>0</MaxAgeInSeconds></CorsRule>";
        assertPlace(
                blobProperties(
                        "<StorageServiceProperties><Cors>" + rule.repeat(6) + "</Cors></StorageServiceProperties>"),
                "0",
                "0",
                "");
        assertPlace(blobProperties("<Other />"), "0", "0", "");
    }

    @Test
    void what_is_no_xml_is_at_the_place_where_it_ends_to_be() {
        for (String document : List.of("<StorageServiceProperties>\n<Cors></Other>", "\n<Storage", "\n &")) {
            StorageException refusal = blobProperties(document);
            assertThat(refusal.error()).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
            assertThat(refusal.details()).containsEntry("LineNumber", "2");
            assertThat(refusal.details().get("Reason")).isNotEmpty().doesNotContain("ParseError");
        }
    }

    @Test
    void a_value_of_a_wrong_form_is_told() {
        byte[] bytes =
                "<KeyInfo><Start>2026-01-01</Start><Expiry>never</Expiry></KeyInfo>".getBytes(StandardCharsets.UTF_8);
        StorageException refusal = refusalOf(() -> UserDelegationXml.read(bytes, 0, bytes.length, 0));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_XML_NODE_VALUE);
        assertThat(refusal.text()).isEqualTo("The value for one of the XML nodes is not in the correct format.");
        assertThat(refusal.details()).containsExactly(entry("XmlNodeName", "never"), entry("XmlNodeValue", "never"));
    }
}
