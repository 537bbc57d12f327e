package dev.trestle.server.pipeline;

import java.util.Map;
import java.util.Optional;

/**
 * The details of a finished request.
 *
 * @param response empty if none was sent
 * @param sendingNanos the time since the response was rendered
 */
record FinishedRequest(Request request, Optional<Response> response, long sendingNanos) implements RequestDetails {
    private static final String STATUS_LINE = "HTTP/1.1 200 OK\r\n";

    @Override
    public Credentials credentials() {
        Optional<String> authorization = request.header("Authorization");
        if (authorization.isPresent()) {
            return authorization.get().strip().regionMatches(true, 0, "bearer ", 0, 7)
                    ? Credentials.BEARER
                    : Credentials.SHARED_KEY;
        }
        return request.address().query().has("sig") || request.address().query().has("sv")
                ? Credentials.SHARED_ACCESS_SIGNATURE
                : Credentials.ANONYMOUS;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String url() {
        String uri = request.uri();
        return uri.startsWith("/")
                ? (request.remote().tls() ? "https://" : "http://")
                        + request.address().authority()
                        + uri
                : uri;
    }

    @Override
    public String rawResource() {
        return request.address().rawResource();
    }

    @Override
    public int clientPort() {
        return request.remote().port();
    }

    @Override
    public Optional<String> header(String name) {
        return request.header(name);
    }

    @Override
    public Optional<String> responseHeader(String name) {
        return response.flatMap(sent -> sent.headers().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst());
    }

    @Override
    public long headBytes() {
        return request.headBytes();
    }

    @Override
    public long responseHeadBytes() {
        return response.map(sent -> STATUS_LINE.length() + Request.bytesOf(sent.headers()))
                .orElse(0L);
    }
}
