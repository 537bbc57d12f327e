package dev.trestle.server.pipeline;

import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Evaluates cross-origin (CORS) rules as the service does: the first rule whose origin and method match decides,
 * and if it does not allow the headers, no later rule is tried.
 */
final class Cors {
    private static final String ANY = "*";
    private static final List<String> ALWAYS_EXPOSED = List.of("x-ms-request-id", "Server", "x-ms-version", "Date");

    private Cors() {}

    static Response preflight(Request request, ServiceProperties properties) {
        Optional<String> origin = request.header("Origin").filter(text -> !text.isBlank());
        Optional<String> method =
                request.header("Access-Control-Request-Method").filter(text -> !text.isBlank());
        if (origin.isEmpty() || method.isEmpty()) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE, "A required CORS header is not present.");
        }
        Optional<String> headers =
                request.header("Access-Control-Request-Headers").filter(text -> !text.isBlank());
        CorsRule rule = match(properties.cors(), origin.get(), method.get())
                .filter(found -> allowsHeaders(found, headers.orElse("")))
                .orElseThrow(() -> new StorageException(StorageError.CORS_PREFLIGHT_FAILURE));
        Response response = new Response(200)
                .header("Access-Control-Allow-Origin", allowedOrigin(rule, origin.get()))
                .header("Access-Control-Allow-Methods", method.get())
                .header("Access-Control-Max-Age", Integer.toString(rule.maxAgeSeconds()));
        headers.ifPresent(names -> response.header("Access-Control-Allow-Headers", names));
        if (!rule.origins().contains(ANY)) {
            response.header("Vary", "Origin");
        }
        return response.header("Access-Control-Allow-Credentials", "true");
    }

    /** Adds the headers that let a page in a browser read the response; returns the response. */
    static Response decorate(Request request, ServiceProperties properties, Response response) {
        if (properties.cors().isEmpty()) {
            return response;
        }
        Optional<String> origin = request.header("Origin");
        Optional<CorsRule> rule = match(properties.cors(), origin.orElse(""), request.method());
        if (rule.isPresent() && (origin.isPresent() || rule.get().origins().contains(ANY))) {
            response.header("Access-Control-Allow-Origin", allowedOrigin(rule.get(), origin.orElse(ANY)));
            if (origin.isPresent()) {
                exposed(rule.get(), response)
                        .ifPresent(names -> response.header("Access-Control-Expose-Headers", names));
                if (!rule.get().origins().contains(ANY)) {
                    response.header("Access-Control-Allow-Credentials", "true");
                }
            }
        }
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (reads && rule.filter(found -> found.origins().contains(ANY)).isEmpty()) {
            response.header("Vary", "Origin");
        }
        return response;
    }

    private static Optional<CorsRule> match(List<CorsRule> rules, String origin, String method) {
        return rules.stream()
                .filter(rule -> rule.methods().contains(method)
                        && rule.origins().stream().anyMatch(allowed -> matchesOrigin(allowed, origin)))
                .findFirst();
    }

    private static boolean matchesOrigin(String allowed, String origin) {
        if (allowed.equals(ANY) || allowed.equals(origin)) {
            return true;
        }
        int star = allowed.indexOf("*.");
        if (star < 0 || !origin.startsWith(allowed.substring(0, star))) {
            return false;
        }
        // A wildcard stands for at least one label: http://*.example.com does not name http://example.com.
        String suffix = allowed.substring(star + 1);
        return origin.endsWith(suffix) && origin.length() > star + suffix.length();
    }

    private static String allowedOrigin(CorsRule rule, String origin) {
        return rule.origins().contains(ANY) ? ANY : origin;
    }

    private static boolean allowsHeaders(CorsRule rule, String requested) {
        return Arrays.stream(requested.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .allMatch(name -> rule.allowedHeaders().stream().anyMatch(allowed -> matchesHeader(allowed, name)));
    }

    private static boolean matchesHeader(String allowed, String name) {
        String pattern = allowed.toLowerCase(Locale.ROOT);
        String lower = name.toLowerCase(Locale.ROOT);
        return pattern.endsWith(ANY)
                ? lower.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(lower);
    }

    /**
     * Returns the names of response headers that the rule exposes; without wildcards, the list in the rule itself.
     */
    private static Optional<String> exposed(CorsRule rule, Response response) {
        List<String> patterns = rule.exposedHeaders();
        if (patterns.isEmpty()) {
            return Optional.empty();
        }
        List<String> plain =
                patterns.stream().filter(name -> !name.endsWith(ANY)).toList();
        if (plain.size() == patterns.size()) {
            return Optional.of(String.join(",", plain));
        }
        List<String> present = new java.util.ArrayList<>(plain);
        response.headers().stream().map(Map.Entry::getKey).forEach(present::add);
        present.addAll(ALWAYS_EXPOSED);
        return Optional.of(present.stream()
                .distinct()
                .filter(name -> patterns.stream().anyMatch(pattern -> matchesHeader(pattern, name)))
                .collect(Collectors.joining(",")));
    }
}
