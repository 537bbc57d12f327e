package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch changes only the account of its request. */
class BatchBoundsTest {
    private static final String JSON = "Content-Type: application/json";
    private static final String BATCH = "Content-Type: multipart/mixed; boundary=b";
    private static final String ACCOUNT = "http://127.0.0.1/devstoreaccount1";

    private static GuardedServer server;

    @BeforeAll
    static void createTables() throws IOException {
        server = new GuardedServer();
        for (String table : new String[] {"cuts", "parts", GuardedServer.OTHER_ACCOUNT}) {
            server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"" + table + "\"}", JSON);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String batch(String... parts) {
        return "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + String.join("", parts)
                + "--c--\r\n--b--\r\n";
    }

    private static String put(String address, String rowKey) {
        return "--c\r\nContent-Type: application/http\r\n\r\nPUT " + address + "(PartitionKey='p',RowKey='" + rowKey
                + "') HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"A\":1}\r\n";
    }

    private static String insert(String address) {
        return "--c\r\nContent-Type: application/http\r\n\r\nPOST " + address
                + " HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
                + "{\"PartitionKey\":\"p\",\"RowKey\":\"inserted\"}\r\n";
    }

    private static String entities(String table) throws IOException {
        return server.owner(Service.TABLE, "GET", "/" + table + "()", "", "Accept: application/json;odata=nometadata")
                .body();
    }

    private static Answer send(String body) throws IOException {
        return server.owner(Service.TABLE, "POST", "/$batch", body, BATCH);
    }

    @Test
    void nothing_of_a_batch_that_was_cut_at_any_byte_is_applied() throws IOException {
        String body = batch(put(ACCOUNT + "/cuts", "1"), put(ACCOUNT + "/cuts", "2"));
        for (int length = 0; length < body.stripTrailing().length(); length++) {
            Answer answer = send(body.substring(0, length));
            assertThat(answer.status()).as("cut at %s: %s", length, answer).isEqualTo(400);
            assertThat(answer.body()).contains("InvalidInput");
        }
        assertThat(entities("cuts")).isEqualTo("{\"value\":[]}");
        assertThat(send(body.stripTrailing()).status()).isEqualTo(202);
        assertThat(entities("cuts")).contains("\"RowKey\":\"1\"", "\"RowKey\":\"2\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/otheraccount/parts",
                "http://127.0.0.1/otheraccount-secondary/parts",
                "http://127.0.0.1/otheraccount%2Fparts",
                "/otheraccount/parts",
                "otheraccount/parts",
                "http://otheraccount.table.example.org/parts",
                "http://otheraccount.table.example.org/devstoreaccount1/parts",
                "http://127.0.0.1/devstoreaccount1/otheraccount/parts",
            })
    void a_part_for_another_account_is_refused(String address) throws IOException {
        for (String part : new String[] {put(address, "1"), insert(address)}) {
            Answer answer = send(batch(put(ACCOUNT + "/parts", "0"), part));
            assertThat(answer.body()).as(answer.toString()).contains("\"InvalidInput\"", "\"1:One of");
        }
        String query = "--b\r\nContent-Type: application/http\r\n\r\nGET " + address
                + "(PartitionKey='p',RowKey='0') HTTP/1.1\r\n\r\n--b--";
        assertThat(send(query).body()).contains("\"InvalidInput\"");
        assertThat(entities("parts")).isEqualTo("{\"value\":[]}");
        assertThat(entities(GuardedServer.OTHER_ACCOUNT)).isEqualTo("{\"value\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/devstoreaccount1/parts",
                "https://public.example.org/devstoreaccount1/parts",
                "http://devstoreaccount1.table.example.org/parts",
                "http://127.0.0.1/devstoreaccount1-secondary/parts",
                "/devstoreaccount1/parts",
                "/parts",
                "parts",
            })
    void every_way_to_write_the_same_account_is_served(String address) throws IOException {
        Answer answer = send(batch(put(address, "own")));
        assertThat(answer.body()).as(answer.toString()).contains("HTTP/1.1 204 No Content");
        server.owner(Service.TABLE, "DELETE", "/parts(PartitionKey='p',RowKey='own')", "", "If-Match: *");
    }

    @Test
    void a_host_that_names_the_account_is_compared_with_the_host_in_the_part() throws IOException {
        String target = "/$batch?" + GuardedServer.owner();
        String host = "Host: devstoreaccount1.table.local:10002";
        for (String address : new String[] {
            "http://other.table.local:10002/parts", "http://devstoreaccount1.table.local:10002/otheraccount/parts"
        }) {
            Answer answer = hostStyle(target, host, batch(put(address, "1")));
            assertThat(answer.body()).as(answer.toString()).contains("\"InvalidInput\"");
        }
        String own = batch(put("http://devstoreaccount1.table.local:10002/parts", "own"));
        assertThat(hostStyle(target, host, own).body()).contains("HTTP/1.1 204 No Content");
        server.owner(Service.TABLE, "DELETE", "/parts(PartitionKey='p',RowKey='own')", "", "If-Match: *");
    }

    private static Answer hostStyle(String target, String host, String body) throws IOException {
        String request = GuardedServer.request("POST", target, body, BATCH).replace("Host: 127.0.0.1", host);
        return GuardedServer.answers(server.port(Service.TABLE), request).get(0);
    }

    @Test
    void slashes_after_a_name_belong_to_no_account() throws IOException {
        assertThat(send(batch(put(ACCOUNT + "/a%2F%2F", "1"))).body())
                .contains(
                        "OutOfRangeInput",
                        "0:The specified resource name length is not within the permissible limits.");
    }

    @Test
    void an_address_within_a_key_is_no_host() throws IOException {
        String part = put("parts", "own").replace("PartitionKey='p'", "PartitionKey='http:%2F%2Fotheraccount.local'");
        assertThat(send(batch(part)).body()).contains("OutOfRangeInput");
        String colon = put("parts", "own").replace("PartitionKey='p'", "PartitionKey='a:otheraccount'");
        assertThat(send(batch(colon)).body()).contains("HTTP/1.1 204 No Content");
        server.owner(Service.TABLE, "DELETE", "/parts(PartitionKey='a:otheraccount',RowKey='own')", "", "If-Match: *");
    }
}
