package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.RequestSummary;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccessLogLineTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void text_has_a_name_and_a_value_for_all_that_is_known() {
        assertThat(text(Summaries.insert(409, Optional.of(StorageError.ENTITY_ALREADY_EXISTS))))
                .isEqualTo("time=2026-01-02T03:04:05.000Z requestId=id-1 clientAddress=192.0.2.7 account=mine"
                        + " operation=InsertEntity table=orders status=409 errorCode=EntityAlreadyExists"
                        + " milliseconds=1.042 bytesIn=17 bytesOut=230\n");
    }

    @Test
    void a_query_shows_its_plan_and_its_options_decoded() {
        assertThat(text(Summaries.query("$filter=PartitionKey%20eq%20'eu'&$top=5&$select=A,B")))
                .endsWith(" plan=\"partition scan 'eu'\" rowsExamined=30 rowsReturned=3"
                        + " filter=\"PartitionKey eq 'eu'\" top=5 select=A,B\n");
    }

    @Test
    void json_has_the_same_fields_in_the_same_order() {
        assertThat(json(Summaries.query("$filter=A%20eq%20%22%5C%22")))
                .isEqualTo("{\"time\":\"2026-01-02T03:04:05.000Z\",\"requestId\":\"id-1\","
                        + "\"clientAddress\":\"192.0.2.7\",\"account\":\"mine\",\"operation\":\"QueryEntities\","
                        + "\"table\":\"orders\",\"status\":200,\"milliseconds\":1.042,\"bytesIn\":17,\"bytesOut\":230,"
                        + "\"plan\":\"partition scan 'eu'\",\"rowsExamined\":30,\"rowsReturned\":3,"
                        + "\"filter\":\"A eq \\\"\\\\\\\"\"}\n");
    }

    @Test
    void whatever_a_client_sends_stays_one_line_of_valid_json() throws IOException {
        String odd = "\u0000\n\r\t\u001b[31m\u0085\u2028\u202e\ud83d \udc00\u00e9\"\\=";
        String line = json(Summaries.from(odd));

        assertThat(line).endsWith("}\n");
        assertThat(line.strip()).doesNotContain("\n", "\r", "\u001b", "\u2028", "\u202e", "\u0085");
        assertThat(field(line, "clientRequestId")).isEqualTo(odd);
        assertThat(text(Summaries.from(odd)).strip()).doesNotContain("\n", "\r", "\u001b", "\u2028", "\u202e");
    }

    @Test
    void other_parameters_are_never_shown() {
        String line =
                json(Summaries.query("sv=2019-02-02&se=2099&sig=c2VjcmV0&NextPartitionKey=1!4!ZXU-&$filter=true"));

        assertThat(line).contains("\"filter\":\"true\"").doesNotContain("c2VjcmV0", "2099", "ZXU-", "sv");
    }

    @Test
    void signatures_are_taken_out_of_where_they_do_not_belong() {
        assertThat(json(Summaries.query("$filter=true%26sig%3Dc2VjcmV0%2B/%3D%26x")))
                .contains("\"filter\":\"true&sig=***&x\"")
                .doesNotContain("c2VjcmV0");
        assertThat(AccessLogLine.redacted("?SIG=abc%3D&se=1")).isEqualTo("?SIG=***&se=1");
        assertThat(AccessLogLine.redacted("a?sv=1&sig%3dabc")).isEqualTo("a?sv=1&sig%3d***");
        assertThat(AccessLogLine.redacted("AccountName=n;AccountKey=a2V5==;X=y"))
                .isEqualTo("AccountName=n;AccountKey=***;X=y");
        assertThat(AccessLogLine.redacted("SharedKeyLite mine:c2ln=")).isEqualTo("SharedKeyLite ***");
        assertThat(AccessLogLine.redacted("sharedkey mine:c2ln=")).isEqualTo("sharedkey ***");
        assertThat(AccessLogLine.redacted("Bearer eyJ0eXAi")).isEqualTo("Bearer ***");
        assertThat(AccessLogLine.redacted("Design eq 'sig' and sig eq 'x'"))
                .isEqualTo("Design eq 'sig' and sig eq 'x'");
    }

    @Test
    void long_texts_are_cut() {
        String line = json(Summaries.query("$filter=" + "x".repeat(200_000)));

        assertThat(line).hasSizeLessThan(1_000).contains("xxx...\"");
        assertThat(text(Summaries.from("y".repeat(10_000)))).hasSizeLessThan(500);
    }

    private static String text(RequestSummary request) {
        return AccessLogLine.of(AccessLogFormat.TEXT, TIME, request);
    }

    private static String json(RequestSummary request) {
        return AccessLogLine.of(AccessLogFormat.JSON, TIME, request);
    }

    private static String field(String line, String name) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME
                        && parser.currentName().equals(name)) {
                    return parser.nextTextValue();
                }
            }
        }
        throw new AssertionError("no field " + name);
    }
}
