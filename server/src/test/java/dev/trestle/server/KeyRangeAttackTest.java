package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import dev.trestle.server.table.ContinuationToken;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks with a SAS for the partition {@code mine} of one table, with all permissions. */
class KeyRangeAttackTest {
    private static final String SAS =
            Sas.table("orders").with("spk", "mine").with("epk", "mine").query();
    private static final String JSON = "Content-Type: application/json";
    private static final String BARE = "Accept: application/json;odata=nometadata";

    private static GuardedServer server;

    @BeforeAll
    static void fill() throws IOException {
        server = new GuardedServer();
        for (String table : List.of("orders", "secrets")) {
            server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"" + table + "\"}", JSON);
            for (String partition : List.of("a", "mine", "z")) {
                server.owner(Service.TABLE, "POST", "/" + table, entity(partition, "1"), JSON);
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String entity(String partitionKey, String rowKey) {
        return "{\"PartitionKey\":\"" + partitionKey + "\",\"RowKey\":\"" + rowKey + "\",\"Kept\":true}";
    }

    private static Answer attack(String method, String path, String body, String... headers) throws IOException {
        String target = "/devstoreaccount1/" + path + (path.contains("?") ? "&" : "?") + SAS;
        return server.ask(Service.TABLE, method, target, body, headers);
    }

    private static String key(String table, String partitionKey) {
        return table + "(PartitionKey='" + partitionKey + "',RowKey='1')";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
    }

    @Test
    void the_signature_is_good_for_what_it_is_for() throws IOException {
        assertThat(attack("GET", key("orders", "mine"), "").status()).isEqualTo(200);
        assertThat(attack("GET", key("ORDERS", "mine"), "").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"orders,a", "orders,z", "orders,min", "orders,Mine", "secrets,mine", "SECRETS,mine", "missing,mine"})
    void no_other_entity_is_read_or_written(String table, String partition) throws IOException {
        String key = key(table, partition);
        assertRefused(attack("GET", key, ""));
        assertRefused(attack("POST", table, entity(partition, "new"), JSON));
        assertRefused(attack("PUT", key, "{\"Kept\":false}", JSON));
        assertRefused(attack("PUT", key, "{\"Kept\":false}", JSON, "If-Match: *"));
        assertRefused(attack("MERGE", key, "{\"Kept\":false}", JSON));
        assertRefused(attack("PATCH", key, "{\"Kept\":false}", JSON, "If-Match: *"));
        assertRefused(attack("DELETE", key, "", "If-Match: *"));
        assertRefused(attack("POST", key, "", "X-HTTP-Method: DELETE", "If-Match: *"));
    }

    @Test
    void a_key_in_the_body_does_not_lead_elsewhere() throws IOException {
        Answer answer = attack("PUT", key("orders", "mine"), entity("z", "1").replace("true", "false"), JSON);
        assertThat(answer.status()).isIn(204, 400);
        assertThat(server.owner(Service.TABLE, "GET", "/" + key("orders", "z"), "", BARE)
                        .body())
                .contains("\"Kept\":true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "PartitionKey eq 'a'",
                "PartitionKey ge ''",
                "PartitionKey ne 'mine'",
                "PartitionKey eq 'mine' or PartitionKey eq 'z'",
                "not (PartitionKey eq 'mine')",
                "Kept eq true or RowKey eq '1'",
            })
    void no_filter_widens_the_range(String filter) throws IOException {
        Answer answer = attack("GET", "orders()?$filter=" + encoded(filter), "", BARE, "x-trestle-explain: true");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("\"a\"", "\"z\"");
        assertThat(answer.head()).containsPattern("x-trestle-rows-examined: [01]\r\n");
    }

    @Test
    void a_filter_that_was_cut_out_of_the_address_is_not_there() throws IOException {
        Answer answer = attack("GET", "orders()?$filter=" + encoded("true) or (true"), "", BARE);
        assertThat(answer.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"a,1", "'',''", "z,1", "z,0", "mine,0"})
    void no_token_leads_out_of_the_range(String partition, String row) throws IOException {
        String from = "orders()?NextPartitionKey=" + encoded(ContinuationToken.encode(partition)) + "&NextRowKey="
                + encoded(ContinuationToken.encode(row));
        Answer answer = attack("GET", from, "", BARE);
        assertThat(answer.status()).isIn(200, 400);
        assertThat(answer.body()).doesNotContain("\"PartitionKey\":\"a\"", "\"PartitionKey\":\"z\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Tables",
                "Tables('orders')",
                "",
                "$metadata",
                "orders?comp=acl",
                "?restype=service&comp=properties",
                "?restype=service&comp=stats"
            })
    void nothing_beside_the_table_is_shown(String path) throws IOException {
        assertRefused(attack("GET", path, ""));
    }

    @Test
    void nothing_beside_the_table_is_changed() throws IOException {
        assertRefused(attack("POST", "Tables", "{\"TableName\":\"more\"}", JSON));
        assertRefused(attack("DELETE", "Tables('orders')", ""));
        assertRefused(attack("PUT", "orders?comp=acl", "<SignedIdentifiers />"));
        assertRefused(attack("PUT", "?restype=service&comp=properties", "<StorageServiceProperties />"));
    }

    @ParameterizedTest
    @CsvSource({"orders,a", "orders,z", "secrets,mine", "missing,mine"})
    void a_transaction_does_not_reach_further(String table, String partition) throws IOException {
        for (String line : List.of("POST http://other.example/devstoreaccount1/" + table, "POST /" + table)) {
            Answer answer = batch("--c\r\nContent-Type: application/http\r\n\r\n" + line + " HTTP/1.1\r\n" + JSON
                    + "\r\n\r\n" + entity(partition, "new") + "\r\n--c--\r\n");
            assertThat(answer.body()).as("the same whether it is there or not").contains("HTTP/1.1 403 ");
        }
        Answer read = read(key(table, partition));
        assertThat(read.body()).contains("HTTP/1.1 403 ").doesNotContain("Kept");
    }

    @Test
    void a_transaction_is_judged_by_each_of_its_operations() throws IOException {
        String first = "--c\r\nContent-Type: application/http\r\n\r\nPOST /orders HTTP/1.1\r\n" + JSON + "\r\n\r\n"
                + entity("mine", "first") + "\r\n";
        for (String other : List.of(entity("z", "second"), entity("mine", "second"))) {
            boolean outside = other.contains("\"z\"");
            String table = outside ? "/orders" : "/secrets";
            Answer answer = batch(first + "--c\r\nContent-Type: application/http\r\n\r\nPOST " + table + " HTTP/1.1\r\n"
                    + JSON + "\r\n\r\n" + other + "\r\n--c--\r\n");
            assertThat(answer.body()).containsPattern("HTTP/1.1 40[03] ");
        }
        assertThat(attack("GET", "orders(PartitionKey='mine',RowKey='first')", "")
                        .status())
                .isEqualTo(404);
    }

    private static Answer batch(String changes) throws IOException {
        String body = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + changes + "--b--\r\n";
        return attack("POST", "$batch", body, "Content-Type: multipart/mixed; boundary=b");
    }

    private static Answer read(String path) throws IOException {
        String body = "--b\r\nContent-Type: application/http\r\n\r\nGET http://x/devstoreaccount1/" + path
                + " HTTP/1.1\r\n\r\n\r\n--b--\r\n";
        return attack("POST", "$batch", body, "Content-Type: multipart/mixed; boundary=b");
    }

    @Test
    void a_query_in_a_transaction_stays_in_the_range() throws IOException {
        assertThat(read("orders()").body()).contains("\"mine\"").doesNotContain("\"a\"", "\"z\"");
    }

    @Test
    void other_services_are_closed() throws IOException {
        assertRefused(server.ask(Service.QUEUE, "GET", "/devstoreaccount1/orders/messages?" + SAS, ""));
        assertRefused(server.ask(Service.BLOB, "GET", "/devstoreaccount1/orders/1?" + SAS, ""));
    }
}
