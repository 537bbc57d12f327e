package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small facts of the protocol: keys that are none, writes to the secondary, selections as they are repeated. */
class TableEdgesTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String ENTITY = "(PartitionKey='p',RowKey='r')";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"people\"}", JSON);
        server.owner(Service.TABLE, "PUT", "/people" + ENTITY, "{\"age\":3}", JSON);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"PartitionKey\":1,\"RowKey\":\"r\"}",
                "{\"PartitionKey\":\"p\",\"RowKey\":true}",
                "{\"PartitionKey\":\"p\",\"RowKey\":1.5}",
            })
    void a_key_that_is_not_a_string_is_invalid_input(String entity) throws IOException {
        Answer insert = server.owner(Service.TABLE, "POST", "/people", entity, JSON);
        assertThat(insert.status()).as(insert.toString()).isEqualTo(400);
        assertThat(insert.body())
                .contains("\"InvalidInput\"", "\"An error occurred while processing this request.\\nRequestId:");
        Answer put = server.owner(Service.TABLE, "PUT", "/people" + ENTITY, entity, JSON);
        assertThat(put.body()).contains("\"InvalidInput\"");
    }

    @ParameterizedTest
    @CsvSource({
        "TABLE, POST, /Tables",
        "TABLE, DELETE, '/people(PartitionKey=''p'',RowKey=''r'')'",
        "TABLE, POST, /$batch",
        "QUEUE, PUT, /jobs",
        "QUEUE, GET, /jobs/messages",
        "BLOB, PUT, /files?restype=container",
    })
    void the_secondary_takes_no_writes(Service service, String method, String path) throws IOException {
        String target = "/devstoreaccount1-secondary" + path + (path.contains("?") ? "&" : "?") + GuardedServer.owner();
        Answer answer = server.ask(service, method, target, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.body()).contains("InsufficientAccountPermissions", "Write operations are not allowed.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "age,sex|age,sex",
                "age%2Csex|age,sex",
                "age,%20sex|age,%20sex",
                "age,+age|age,%20age",
                "age,%22x|age,%22x",
                "%C3%A9|%C3%A9",
            })
    void a_selection_is_repeated_as_it_was_asked_for(String asked, String repeated) throws IOException {
        for (String path : new String[] {"/people()", "/people" + ENTITY}) {
            Answer answer = server.owner(Service.TABLE, "GET", path + "?$select=" + asked, "");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.body()).contains("&$select=" + repeated + "\"");
        }
    }

    @Test
    void spaces_around_a_selected_name_do_not_count() throws IOException {
        Answer answer = server.owner(
                Service.TABLE,
                "GET",
                "/people" + ENTITY + "?$select=%20age,%20RowKey",
                "",
                "Accept: application/json;odata=nometadata");
        assertThat(answer.body()).isEqualTo("{\"RowKey\":\"r\",\"age\":3}");
    }
}
