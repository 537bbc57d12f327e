package dev.trestle.server.table;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.XmlReader;
import dev.trestle.server.pipeline.ServicePropertiesHandlers;
import dev.trestle.server.table.json.MetadataLevel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableDocumentsTest {
    private static final String BASE = "http://127.0.0.1:10002/acct";

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void one_table_at_each_level() {
        assertThat(text(TableDocuments.table("acct", BASE, MetadataLevel.NONE, "orders")))
                .isEqualTo("{\"TableName\":\"orders\"}");
        assertThat(text(TableDocuments.table("acct", BASE, MetadataLevel.MINIMAL, "orders")))
                .isEqualTo("{\"odata.metadata\":\"" + BASE + "/$metadata#Tables/@Element\",\"TableName\":\"orders\"}");
        assertThat(text(TableDocuments.table("acct", BASE, MetadataLevel.FULL, "orders")))
                .isEqualTo("{\"odata.metadata\":\"" + BASE
                        + "/$metadata#Tables/@Element\",\"odata.type\":\"acct.Tables\","
                        + "\"odata.id\":\"" + BASE + "/Tables('orders')\",\"odata.editLink\":\"Tables('orders')\","
                        + "\"TableName\":\"orders\"}");
    }

    @Test
    void a_page_of_tables() {
        assertThat(text(TableDocuments.tables("acct", BASE, MetadataLevel.MINIMAL, List.of("orders", "Users"))))
                .isEqualTo("{\"odata.metadata\":\"" + BASE + "/$metadata#Tables\","
                        + "\"value\":[{\"TableName\":\"orders\"},{\"TableName\":\"Users\"}]}");
        assertThat(text(TableDocuments.tables("acct", BASE, MetadataLevel.NONE, List.of())))
                .isEqualTo("{\"value\":[]}");
    }

    @Test
    void an_error_in_json_and_in_xml() {
        StorageException failure = new StorageException(StorageError.INVALID_INPUT);
        assertThat(text(TableDocuments.jsonError(failure, "No \"x\" <\u00E9>\nRequestId:1")))
                .isEqualTo("{\"odata.error\":{\"code\":\"InvalidInput\",\"message\":{\"lang\":\"en-US\","
                        + "\"value\":\"No \\\"x\\\" <\u00E9>\\nRequestId:1\"}}}");
        assertThat(text(new ODataErrorFormat().document(failure, "No \"x\" <\u00E9>&\u0001\nRequestId:1")))
                .isEqualTo("<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error"
                        + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
                        + "<m:code>InvalidInput</m:code><m:message xml:lang=\"en-US\">No \"x\" &lt;\u00E9&gt;&amp;\uFFFD\n"
                        + "RequestId:1</m:message></m:error>");
    }

    @Test
    void statistics_say_that_replication_is_live() {
        assertThat(text(ServicePropertiesHandlers.stats(Instant.parse("2026-03-02T10:00:00.9Z"))))
                .isEqualTo("\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><StorageServiceStats><GeoReplication>"
                        + "<Status>live</Status><LastSyncTime>Mon, 02 Mar 2026 10:00:00 GMT</LastSyncTime>"
                        + "</GeoReplication></StorageServiceStats>");
    }

    @Test
    void the_documents_of_odata_are_well_formed() throws Exception {
        assertThat(text(TableDocuments.serviceDocument(BASE, MetadataLevel.MINIMAL)))
                .isEqualTo("{\"odata.metadata\":\"" + BASE
                        + "/$metadata\",\"value\":[{\"name\":\"Tables\",\"url\":\"Tables\"}]}");
        assertThat(text(TableDocuments.metadata("acct"))).contains("<Schema Namespace=\"acct\"");
        byte[] metadata = TableDocuments.metadata("acct");
        assertThat(XmlReader.read(metadata, 0, metadata.length, "Edmx").children())
                .hasSize(1);
    }

    // Which level an answer has.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| | MINIMAL",
                "| application/json | MINIMAL",
                "| */* | MINIMAL",
                "| application/json;odata=nometadata | NONE",
                "| application/json; odata=fullmetadata | FULL",
                "| application/json ; odata = minimalmetadata | MINIMAL",
                "| Application/JSON;OData=FullMetadata;charset=utf-8 | FULL",
                "| application/atom+xml,application/json;odata=nometadata | NONE",
                "| application/json;odata=verbose, application/json;odata=fullmetadata | FULL",
                "application/json;odata=fullmetadata | application/json;odata=nometadata | FULL",
                "json | application/atom+xml | MINIMAL",
                "'' | application/json;odata=nometadata | NONE",
            })
    void the_level_is_negotiated(String format, String accept, MetadataLevel level) {
        assertThat(MetadataLevel.negotiate(Optional.ofNullable(format), Optional.ofNullable(accept)))
                .isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/atom+xml | ATOM_FORMAT_NOT_SUPPORTED",
                "application/atom+xml,application/xml | ATOM_FORMAT_NOT_SUPPORTED",
                "application/json;odata=verbose | JSON_VERBOSE_FORMAT_NOT_SUPPORTED",
                "text/html | MEDIA_TYPE_NOT_SUPPORTED",
                ", | MEDIA_TYPE_NOT_SUPPORTED",
            })
    void formats_that_are_not_spoken_are_refused(String accept, StorageError error) {
        assertThat(errorOf(() -> MetadataLevel.negotiate(Optional.empty(), Optional.of(accept))))
                .isEqualTo(error);
    }

    @Test
    void the_content_type_names_the_level() {
        assertThat(MetadataLevel.FULL.contentType())
                .isEqualTo("application/json;odata=fullmetadata;streaming=true;charset=utf-8");
    }
}
