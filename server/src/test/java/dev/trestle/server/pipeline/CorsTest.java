package dev.trestle.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorsTest {
    private static CorsRule rule(String origins, String methods, String allowed, String exposed) {
        return new CorsRule(list(origins), list(methods), list(allowed), list(exposed), 60);
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }

    private static ServiceProperties properties(CorsRule... rules) {
        return ServiceProperties.DEFAULT.withCors(List.of(rules));
    }

    private static Map<String, String> preflight(String origin, String method, String headers, CorsRule... rules) {
        FakeHttp http = new FakeHttp("OPTIONS", "/devstoreaccount1/orders")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers);
        Response response = Cors.preflight(http.request(), properties(rules));
        assertThat(response.status()).isEqualTo(200);
        return headers(response);
    }

    private static Map<String, String> headers(Response response) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        return headers;
    }

    private static void assertRefused(StorageError error, Runnable call) {
        assertThatThrownBy(call::run)
                .asInstanceOf(type(StorageException.class))
                .extracting(StorageException::error)
                .isEqualTo(error);
    }

    @Test
    void a_preflight_is_answered_with_what_was_asked_for() {
        assertThat(preflight(
                        "http://a",
                        "PUT",
                        "x-ms-date, content-type",
                        rule("http://a", "GET,PUT", "x-ms-*,Content-Type", "")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Access-Control-Allow-Origin", "http://a",
                        "Access-Control-Allow-Methods", "PUT",
                        "Access-Control-Allow-Headers", "x-ms-date, content-type",
                        "Access-Control-Max-Age", "60",
                        "Access-Control-Allow-Credentials", "true",
                        "Vary", "Origin"));
        assertThat(preflight("http://a", "GET", "", rule("*", "GET", "", "")))
                .containsEntry("Access-Control-Allow-Origin", "*")
                .doesNotContainKeys("Vary", "Access-Control-Allow-Headers");
    }

    @ParameterizedTest
    @CsvSource({
        "http://a, http://a, true",
        "http://a, http://A, false",
        "http://a, https://a, false",
        "http://*.example.com, http://x.example.com, true",
        "http://*.example.com, http://x.y.example.com, true",
        "http://*.example.com, http://example.com, false",
        "http://*.example.com, http://.example.com, false",
        "http://*.example.com, https://x.example.com, false",
        "http://*.example.com, http://xexample.com, false",
    })
    void origins_match_exactly_or_by_subdomain(String allowed, String origin, boolean matches) {
        if (matches) {
            assertThat(preflight(origin, "GET", "", rule(allowed, "GET", "", "")))
                    .containsEntry("Access-Control-Allow-Origin", origin);
        } else {
            assertRefused(
                    StorageError.CORS_PREFLIGHT_FAILURE,
                    () -> preflight(origin, "GET", "", rule(allowed, "GET", "", "")));
        }
    }

    @Test
    void the_first_rule_that_matches_origin_and_method_decides_alone() {
        CorsRule strict = rule("http://a", "GET", "", "");
        CorsRule lax = rule("*", "GET,PUT", "*", "");
        assertRefused(StorageError.CORS_PREFLIGHT_FAILURE, () -> preflight("http://a", "GET", "x-y", strict, lax));
        assertThat(preflight("http://a", "PUT", "x-y", strict, lax)).containsEntry("Access-Control-Allow-Origin", "*");
        assertRefused(StorageError.CORS_PREFLIGHT_FAILURE, () -> preflight("http://a", "DELETE", "", strict, lax));
        assertRefused(StorageError.CORS_PREFLIGHT_FAILURE, () -> preflight("http://a", "GET", ""));
    }

    @Test
    void a_preflight_needs_its_two_headers() {
        assertRefused(
                StorageError.INVALID_HEADER_VALUE,
                () -> Cors.preflight(
                        new FakeHttp("OPTIONS", "/devstoreaccount1")
                                .header("Origin", "http://a")
                                .request(),
                        properties(rule("*", "GET", "", ""))));
        assertRefused(StorageError.INVALID_HEADER_VALUE, () -> preflight("", "GET", "", rule("*", "GET", "", "")));
    }

    private static Map<String, String> decorated(FakeHttp http, CorsRule... rules) {
        Response response = new Response(200).header("ETag", "x").header("x-ms-version", "v");
        int before = response.headers().size();
        Cors.decorate(http.request(), properties(rules), response);
        Map<String, String> added = new LinkedHashMap<>();
        response.headers().stream().skip(before).forEach(header -> added.put(header.getKey(), header.getValue()));
        return added;
    }

    private static FakeHttp get() {
        return new FakeHttp("GET", "/devstoreaccount1/orders");
    }

    @Test
    void an_answer_without_rules_says_nothing_of_origins() {
        assertThat(decorated(get().header("Origin", "http://a"))).isEmpty();
    }

    @Test
    void an_answer_to_a_matching_origin_may_be_read_with_the_exposed_headers() {
        assertThat(decorated(get().header("Origin", "http://a"), rule("http://a", "GET", "", "ETag,x")))
                .containsEntry("Access-Control-Allow-Origin", "http://a")
                .containsEntry("Access-Control-Expose-Headers", "ETag,x")
                .containsEntry("Vary", "Origin");
        assertThat(decorated(get().header("Origin", "http://a"), rule("*", "GET", "", "x-ms-*")))
                .containsEntry("Access-Control-Allow-Origin", "*")
                .containsEntry("Access-Control-Expose-Headers", "x-ms-version,x-ms-request-id")
                .doesNotContainKey("Vary");
    }

    @Test
    void a_read_varies_by_origin_unless_all_origins_are_allowed() {
        assertThat(decorated(get(), rule("http://a", "GET", "", ""))).containsExactly(Map.entry("Vary", "Origin"));
        assertThat(decorated(get(), rule("*", "GET", "", "")))
                .containsExactly(Map.entry("Access-Control-Allow-Origin", "*"));
        assertThat(decorated(get().header("Origin", "http://b"), rule("http://a", "GET", "", "")))
                .containsExactly(Map.entry("Vary", "Origin"));
        assertThat(decorated(new FakeHttp("POST", "/devstoreaccount1/orders"), rule("http://a", "POST", "", "")))
                .isEmpty();
    }
}
