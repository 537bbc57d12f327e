package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request to one service, with a parsed address and decoded parameters. The pipeline collects the body into it
 * if the operation requires that. Belongs to the thread that processes it.
 */
public final class Request {
    private static final String VERSION = "x-ms-version";

    private final Service service;
    private final String id;
    private final String method;
    private final String uri;
    private final RequestAddress address;
    private final MultiMap headers;
    private final RemoteEndpoint remote;
    private final Executor loop;
    private final RequestBody content;
    private final RequestTrace trace;

    /** The protocol version of the batch that contains this request; null for any other request. */
    private final @Nullable String batchVersion;

    private RequestBody.Bytes body = RequestBody.Bytes.NONE;

    /** @param loop runs tasks on the event loop that received the request */
    public Request(
            Service service,
            String id,
            String method,
            String uri,
            RequestAddress address,
            MultiMap headers,
            RemoteEndpoint remote,
            Executor loop,
            RequestBody content) {
        this(service, id, method, uri, address, headers, remote, loop, content, new RequestTrace(), null);
    }

    private Request(
            Service service,
            String id,
            String method,
            String uri,
            RequestAddress address,
            MultiMap headers,
            RemoteEndpoint remote,
            Executor loop,
            RequestBody content,
            RequestTrace trace,
            @Nullable String batchVersion) {
        this.service = service;
        this.id = id;
        this.method = method;
        this.uri = uri;
        this.address = address;
        this.headers = headers;
        this.remote = remote;
        this.loop = loop;
        this.content = content;
        this.trace = trace;
        this.batchVersion = batchVersion;
    }

    /** Creates the request for a read in this batch, which is traced as part of the batch. */
    public Request readInBatch(RequestAddress partAddress, Map<String, String> partHeaders) {
        return new Request(
                service,
                id,
                "GET",
                uri,
                partAddress,
                MultiMap.caseInsensitiveMultiMap().addAll(partHeaders),
                remote,
                loop,
                RequestBody.EMPTY,
                trace,
                batchVersion);
    }

    /**
     * Creates a request in this batch that is authenticated, authorized and traced separately. It has the account,
     * the connection and the protocol version of the batch, but not its credentials.
     */
    public Request subRequest(String partId, String partMethod, String partUri, Map<String, String> partHeaders) {
        return new Request(
                service,
                partId,
                partMethod,
                partUri,
                address.inBatch(partUri),
                MultiMap.caseInsensitiveMultiMap().addAll(partHeaders),
                remote,
                loop,
                RequestBody.EMPTY,
                new RequestTrace(),
                headers.get(HeaderNames.of(VERSION)));
    }

    public Service service() {
        return service;
    }

    public String id() {
        return id;
    }

    /** The verb on the wire. */
    public String method() {
        return method;
    }

    /** Whether the verb on the wire is GET or HEAD. */
    public boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** The request target as sent. */
    public String uri() {
        return uri;
    }

    public RequestAddress address() {
        return address;
    }

    public String account() {
        return address.account();
    }

    public RemoteEndpoint remote() {
        return remote;
    }

    /** Runs tasks on the event loop of the request. */
    public Executor loop() {
        return loop;
    }

    public RequestTrace trace() {
        return trace;
    }

    /** All headers, with names in the case in which they were sent. */
    public Iterable<Map.Entry<String, String>> headers() {
        return headers;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headerOrNull(name));
    }

    @Nullable
    String headerOrNull(String name) {
        if (batchVersion != null && name.equalsIgnoreCase(VERSION)) {
            return batchVersion;
        }
        return headers.get(HeaderNames.of(name));
    }

    /** Returns the values of a header that may be repeated. */
    public List<String> headerValues(String name) {
        return headers.getAll(HeaderNames.of(name));
    }

    /** Returns the approximate length of the request line and the headers. */
    public long headBytes() {
        return method.length() + uri.length() + " HTTP/1.1 ".length() + bytesOf(headers);
    }

    static long bytesOf(Iterable<Map.Entry<String, String>> headers) {
        long bytes = 2;
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        return bytes;
    }

    public Optional<String> query(String name) {
        return address.query().find(name);
    }

    /** The body, which has not been received yet. */
    public RequestBody content() {
        return content;
    }

    /** Collects the body in memory, for {@link #body}. */
    public CompletionStage<Void> collect(int bytesMax) {
        return content.collect(bytesMax).thenAccept(bytes -> body = bytes);
    }

    /** The array that starts with the collected body. */
    public byte[] body() {
        return body.array();
    }

    /** The length of the collected body. */
    public int bodyLength() {
        return body.length();
    }

    /** Drops the reference to the collected body, which is not needed while the client reads the response. */
    public void dropBody() {
        body = RequestBody.Bytes.NONE;
    }
}
