package dev.trestle.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.table.ODataErrorFormat;
import dev.trestle.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ErrorRendererTest {
    private static final String TAIL = "\\nRequestId:id-1\\nTime:2026-03-02T10:00:00.1234567Z";
    private final ErrorRenderer errors = new ErrorRenderer(
            new ODataErrorFormat(), new ManualClock(Instant.parse("2026-03-02T10:00:00.1234567Z")), new UUID(0, 0));

    private static FakeHttp get(String target) {
        return new FakeHttp("GET", "/devstoreaccount1" + target);
    }

    private static String body(Response response) {
        return response.buffered().whole().toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> headers(Response response) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        return headers;
    }

    @Test
    void an_error_of_the_store_is_json_with_its_code_request_and_time() {
        Request request = get("/orders()").request();
        request.trace().reachStore();
        Response response =
                errors.render(request, new CompletionException(new StorageException(StorageError.RESOURCE_NOT_FOUND)));
        assertThat(response.status()).isEqualTo(404);
        assertThat(body(response))
                .isEqualTo("{\"odata.error\":{\"code\":\"ResourceNotFound\",\"message\":{\"lang\":\"en-US\",\"value\":"
                        + "\"The specified resource does not exist." + TAIL + "\"}}}");
        assertThat(headers(response))
                .containsEntry("Content-Type", "application/json;odata=minimalmetadata;streaming=true;charset=utf-8")
                .containsEntry("Cache-Control", "no-cache")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void an_error_of_reading_the_request_may_be_cached() {
        Response response =
                errors.render(get("/orders()").request(), new StorageException(StorageError.INVALID_INPUT, "No."));
        assertThat(headers(response)).doesNotContainKey("Cache-Control");
        assertThat(body(response)).contains("\"No." + TAIL + "\"");
    }

    @Test
    void documents_of_the_service_and_clients_of_xml_get_xml() {
        for (FakeHttp http : new FakeHttp[] {
            get("/?restype=service&comp=properties"), get("/orders").header("Accept", "application/xml")
        }) {
            Response response = errors.render(http.request(), new StorageException(StorageError.INVALID_XML_DOCUMENT));
            assertThat(body(response))
                    .isEqualTo(
                            "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error"
                                    + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
                                    + "<m:code>InvalidXmlDocument</m:code><m:message xml:lang=\"en-US\">XML specified is not"
                                    + " syntactically valid.\nRequestId:id-1\nTime:2026-03-02T10:00:00.1234567Z</m:message></m:error>");
            assertThat(headers(response)).containsEntry("Content-Type", "application/xml");
        }
    }

    @Test
    void a_refusal_at_the_door_says_little_and_a_missing_identity_is_challenged() {
        Response response = errors.render(
                get("/orders").request(), new StorageException(StorageError.NO_AUTHENTICATION_INFORMATION));
        assertThat(response.isRefusedBeforeRouting()).isTrue();
        assertThat(headers(response))
                .containsEntry("Content-Type", "application/json")
                .containsKey("WWW-Authenticate");
    }

    @Test
    void a_busy_server_says_when_to_come_back() {
        Response response = errors.render(get("/orders").request(), new StorageException(StorageError.SERVER_BUSY));
        assertThat(response.status()).isEqualTo(503);
        assertThat(headers(response)).containsEntry("Retry-After", "1");
    }

    @Test
    void a_fault_of_ours_is_answered_without_its_message() {
        Response response = errors.render(get("/orders").request(), new IllegalStateException("secret detail"));
        assertThat(response.status()).isEqualTo(500);
        assertThat(body(response))
                .contains("\"code\":\"InternalError\"")
                .contains("RequestId:id-1")
                .doesNotContain("secret");
    }

    // Where a request goes.

    @Test
    void an_account_is_found_in_the_path_or_in_the_host() {
        RequestAddress path = get("/orders?$top=1").address();
        assertThat(path.account()).isEqualTo("devstoreaccount1");
        assertThat(path.rawResource()).isEqualTo("/orders");
        assertThat(path.baseUrl()).isEqualTo("http://127.0.0.1:10002/devstoreaccount1");
        assertThat(path.query().find("$top")).contains("1");
        RequestAddress host = new FakeHttp("GET", "/orders")
                .header("Host", "devstoreaccount1.table.local:80")
                .address();
        assertThat(host.account()).isEqualTo("devstoreaccount1");
        assertThat(host.rawResource()).isEqualTo("/orders");
        assertThat(host.baseUrl()).isEqualTo("http://devstoreaccount1.table.local:80");
    }

    @Test
    void a_secondary_endpoint_is_the_same_account() {
        RequestAddress path = new FakeHttp("GET", "/devstoreaccount1-secondary/").address();
        assertThat(path.account()).isEqualTo("devstoreaccount1");
        assertThat(path.secondary()).isTrue();
        RequestAddress absolute =
                new FakeHttp("GET", "http://devstoreaccount1-secondary.table.local/orders?x").address();
        assertThat(absolute.account()).isEqualTo("devstoreaccount1");
        assertThat(absolute.secondary()).isTrue();
        assertThat(absolute.rawPath()).isEqualTo("/orders");
    }
}
