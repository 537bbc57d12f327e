package dev.trestle.conformance;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of the development account, made apart from the server's own code so that both can be wrong only once. */
final class Signature {
    private Signature() {}

    static String sharedKey(RawRequest request) {
        String text = String.join(
                "\n",
                request.method(),
                request.header("Content-MD5").orElse(""),
                request.header("Content-Type").orElse(""),
                date(request),
                resource(request));
        return "SharedKey " + TrestleProcess.ACCOUNT + ":" + hmac(text);
    }

    static String sharedKeyLite(RawRequest request) {
        return "SharedKeyLite " + TrestleProcess.ACCOUNT + ":" + hmac(date(request) + "\n" + resource(request));
    }

    /** With a Shared Key as queues want it, which covers all headers that matter and the whole query. */
    static String queueKey(RawRequest request) {
        StringBuilder text = new StringBuilder(request.method());
        for (String name : List.of("Content-Encoding", "Content-Language", "Content-Length", "Content-MD5")) {
            String value = request.header(name).orElse("");
            text.append('\n').append(name.equals("Content-Length") && value.equals("0") ? "" : value);
        }
        text.append('\n').append(request.header("Content-Type").orElse(""));
        text.append('\n').append(dateUnlessOurs(request));
        for (String name : List.of("If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range")) {
            text.append('\n').append(request.header(name).orElse(""));
        }
        text.append('\n').append(headers(request)).append(queueResource(request));
        return "SharedKey " + TrestleProcess.ACCOUNT + ":" + hmac(text.toString());
    }

    static String queueKeyLite(RawRequest request) {
        String text = String.join(
                "\n",
                request.method(),
                request.header("Content-MD5").orElse(""),
                request.header("Content-Type").orElse(""),
                dateUnlessOurs(request),
                headers(request) + resource(request));
        return "SharedKeyLite " + TrestleProcess.ACCOUNT + ":" + hmac(text);
    }

    private static String dateUnlessOurs(RawRequest request) {
        return request.header("x-ms-date").isPresent()
                ? ""
                : request.header("Date").orElse("");
    }

    private static String headers(RawRequest request) {
        Map<String, String> ours = new TreeMap<>();
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith("x-ms-")) {
                ours.put(name, header.getValue().strip());
            }
        }
        StringBuilder text = new StringBuilder();
        ours.forEach(
                (name, value) -> text.append(name).append(':').append(value).append('\n'));
        return text.toString();
    }

    private static String queueResource(RawRequest request) {
        String[] parts = request.target().split("\\?", 2);
        Map<String, List<String>> parameters = new TreeMap<>();
        for (String parameter : parts.length == 2 ? parts[1].split("&", -1) : new String[0]) {
            String[] sides = parameter.split("=", 2);
            parameters
                    .computeIfAbsent(decoded(sides[0]).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(sides.length == 2 ? decoded(sides[1]) : "");
        }
        StringBuilder text = new StringBuilder("/" + TrestleProcess.ACCOUNT + parts[0]);
        parameters.forEach((name, values) -> text.append('\n')
                .append(name)
                .append(':')
                .append(String.join(",", values.stream().sorted().toList())));
        return text.toString();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String date(RawRequest request) {
        return request.header("x-ms-date").or(() -> request.header("Date")).orElse("");
    }

    /** The account, the path exactly as sent, and of the query only {@code comp}. */
    private static String resource(RawRequest request) {
        String target = request.target();
        int scheme = target.indexOf("://");
        if (scheme >= 0) {
            target = target.substring(target.indexOf('/', scheme + 3));
        }
        String[] parts = target.split("\\?", 2);
        String comp = "";
        if (parts.length == 2) {
            for (String parameter : parts[1].split("&", -1)) {
                if (parameter.startsWith("comp=")) {
                    comp = "?" + parameter;
                }
            }
        }
        return "/" + TrestleProcess.ACCOUNT + parts[0] + comp;
    }

    static String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(TrestleProcess.KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java has HmacSHA256", e);
        }
    }
}
