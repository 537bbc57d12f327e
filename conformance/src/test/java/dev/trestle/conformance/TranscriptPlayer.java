package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.Transcript.Exchange;
import dev.trestle.conformance.Transcript.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plays the exchanges of one transcript and remembers the values of their placeholders. */
final class TranscriptPlayer {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]*)}}");
    private static final String OMITTED = "-";
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,7})?Z";
    private static final Map<String, String> ANY = Map.of(
            "guid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            "time", TIME,
            "etag", "W/\\\\?\"datetime'" + TIME.replace(":", "%3A").replace("(?%3A", "(?:") + "'\\\\?\"",
            "blob-etag", "0x[0-9A-F]{15}",
            "date", "\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT",
            "*", ".*?",
            "bom", "\ufeff");

    /** Headers that every response may have, with values that do not depend on the exchange. */
    private static final Set<String> MAY_BE_UNLISTED = Set.of(
            "date",
            "server",
            "connection",
            "content-length",
            "x-ms-request-id",
            "x-ms-version",
            "x-ms-client-request-id");

    private final Defaults defaults;
    private final Map<String, String> known = new HashMap<>();

    /** The service that requests go to, and their default headers. */
    private record Defaults(int port, String version, String authorization, String accept, String contentType) {}

    private TranscriptPlayer(Defaults defaults) {
        this.defaults = defaults;
        known.put("host", "127.0.0.1:" + defaults.port);
    }

    /** Plays to the Table service, where this table is. */
    static TranscriptPlayer ofTables(TrestleProcess server, String table) {
        TranscriptPlayer player = new TranscriptPlayer(new Defaults(
                server.port(),
                "2019-02-02",
                RawRequest.SHARED_KEY_LITE,
                "application/json;odata=minimalmetadata",
                "application/json"));
        player.known.put("table", table);
        player.known.put("TABLE", table.toUpperCase(Locale.ROOT));
        return player;
    }

    /** Plays to the Queue service, where this queue is. */
    static TranscriptPlayer ofQueues(TrestleProcess server, String queue) {
        TranscriptPlayer player = new TranscriptPlayer(new Defaults(
                server.queuePort(),
                RawRequest.QUEUE_VERSION,
                RawRequest.QUEUE_KEY,
                "application/xml",
                "application/xml"));
        player.known.put("queue", queue);
        return player;
    }

    /** Plays to the Blob service, where this container is. */
    static TranscriptPlayer ofBlobs(TrestleProcess server, String container) {
        TranscriptPlayer player = new TranscriptPlayer(new Defaults(
                server.blobPort(),
                RawRequest.BLOB_VERSION,
                RawRequest.QUEUE_KEY,
                "application/xml",
                "application/octet-stream"));
        player.known.put("container", container);
        return player;
    }

    void play(Exchange exchange) throws IOException {
        RawRequest request = request(exchange);
        try (RawConnection connection = new RawConnection(defaults.port)) {
            compare(exchange, connection.exchange(request));
        }
    }

    private RawRequest request(Exchange exchange) {
        Message written = exchange.request();
        known.put("date", RawRequest.httpDate());
        String[] startLine = expand(written.startLine()).split(" ", 3);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        written.headers().forEach(header -> headers.add(Map.entry(header.getKey(), expand(header.getValue()))));
        byte[] body = body(exchange, headers);
        addMissing(headers, "Host", expand("{{host}}"));
        addMissing(headers, "x-ms-date", expand("{{date}}"));
        addMissing(headers, "x-ms-version", defaults.version);
        addMissing(headers, "Authorization", defaults.authorization);
        addMissing(headers, "Accept", defaults.accept);
        if (body.length > 0) {
            addMissing(headers, "Content-Type", defaults.contentType);
            addMissing(headers, "Content-Length", Integer.toString(body.length));
        }
        headers.removeIf(header -> header.getValue().equals(OMITTED));
        return new RawRequest(startLine[0], startLine[1], List.copyOf(headers), body);
    }

    private static void addMissing(List<Map.Entry<String, String>> headers, String name, String value) {
        if (headers.stream().noneMatch(header -> header.getKey().equalsIgnoreCase(name))) {
            headers.add(Map.entry(name, value));
        }
    }

    private byte[] body(Exchange exchange, List<Map.Entry<String, String>> headers) {
        String text = expand(exchange.request().body());
        boolean chunked = headers.stream().anyMatch(header -> header.getValue().equals("chunked"));
        boolean multipart =
                headers.stream().anyMatch(header -> header.getValue().startsWith("multipart/"));
        if (chunked) {
            text = text.replace("\n", "\r\n") + "\r\n\r\n";
        } else if (multipart && !exchange.lfOnly()) {
            text = text.replace("\n", "\r\n");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Replaces placeholders by known values, except those that only a signature or a response fills. */
    private String expand(String text) {
        Matcher matcher = PLACEHOLDER.matcher(text);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = known.getOrDefault(name, matcher.group());
            if (name.startsWith("repeat ")) {
                String[] parts = name.split(" ", 3);
                value = parts[2].repeat(Integer.parseInt(parts[1]));
            }
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(expanded).toString();
    }

    private void compare(Exchange exchange, RawResponse response) {
        Message expected = exchange.response();
        String where = exchange.title() + "\n" + response.text();
        assertThat(response.statusLine()).as(where).isEqualTo(expected.startLine());
        List<String> unlisted = new ArrayList<>();
        response.headers().forEach(header -> unlisted.add(header.getKey().toLowerCase(Locale.ROOT)));
        for (Map.Entry<String, String> header : expected.headers()) {
            assertThat(response.header(header.getKey()))
                    .as("%s\nheader %s", where, header.getKey())
                    .isPresent();
            match(where, header.getValue(), response.header(header.getKey()).orElseThrow());
            unlisted.remove(header.getKey().toLowerCase(Locale.ROOT));
        }
        unlisted.removeAll(MAY_BE_UNLISTED);
        assertThat(unlisted)
                .as("%s\nheaders that the transcript does not list", where)
                .isEmpty();
        if (response.header("Content-Type").orElse("").startsWith("multipart/")) {
            assertThat(response.body().replace("\r\n", "")).as(where).doesNotContain("\n", "\r");
        }
        match(where, expected.body(), response.body().replace("\r\n", "\n").stripTrailing());
    }

    /** Matches a text with placeholders against an actual one and remembers the values of the named ones. */
    private void match(String where, String template, String actual) {
        Matcher placeholders = PLACEHOLDER.matcher(template);
        StringBuilder regex = new StringBuilder();
        List<String> names = new ArrayList<>();
        int from = 0;
        while (placeholders.find()) {
            regex.append(Pattern.quote(template.substring(from, placeholders.start())));
            from = placeholders.end();
            String[] parts = placeholders.group(1).split("=", 2);
            String kind = parts[parts.length - 1];
            if (known.containsKey(kind) && !ANY.containsKey(kind)) {
                regex.append(Pattern.quote(known.getOrDefault(kind, "")));
            } else if (parts.length == 2) {
                names.add(parts[0]);
                regex.append('(').append(any(kind)).append(')');
            } else {
                regex.append(any(kind));
            }
        }
        regex.append(Pattern.quote(template.substring(from)));
        Matcher matcher = Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(actual);
        if (!matcher.matches()) {
            // Fails in any case; said so because it shows the difference.
            assertThat(actual).as(where).isEqualTo(template);
        }
        for (int i = 0; i < names.size(); i++) {
            known.put(names.get(i), matcher.group(i + 1));
        }
    }

    private static String any(String kind) {
        String regex = ANY.get(kind);
        if (regex == null) {
            throw new IllegalArgumentException("no such placeholder: " + kind);
        }
        return regex;
    }
}
