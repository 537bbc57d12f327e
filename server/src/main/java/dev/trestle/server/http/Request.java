package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.QueryParameters;
import dev.trestle.server.auth.SignedRequest;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request as the rest of the server sees it: addressed, with its parameters decoded and its body whole, or still to
 * be asked for where the service takes bodies as they come. Lives on the thread that serves it.
 */
final class Request implements RequestDetails {
    private static final String SECONDARY_SUFFIX = "-secondary";
    private static final String VERSION = "x-ms-version";
    private static final byte[] NO_BODY = new byte[0];

    private final Service service;
    private final String id;
    private final String method;
    private final MultiMap headers;
    private final RemoteEndpoint client;
    private final String uri;
    private final Address address;
    private final Executor loop;

    /** The version of the protocol where it is not for this request to say, or null. */
    private final @Nullable String version;

    private byte[] body = NO_BODY;
    private int bodyOffset;
    private int bodyLength;
    private long bytesIn;
    private @Nullable IncomingBody content;
    private boolean storeReached;
    private @Nullable Response answer;
    private long answeredNanos;
    private final RequestTrace trace;

    /**
     * Where a request goes.
     *
     * @param authority the host, with the port if there is one
     * @param rawPath all of the path as it was sent
     * @param rawResource the path behind the account
     * @param baseUrl what addresses of the account's resources begin with
     */
    record Address(
            String account,
            boolean secondary,
            String authority,
            String rawPath,
            String rawResource,
            String baseUrl,
            QueryParameters query) {

        /**
         * The path behind the account of an address in a batch, which may leave the account out: some clients do where it
         * would be the first segment. A path that begins with the account is taken to name it, as in any other request.
         */
        String resourceOf(String path) {
            if (!rawPath.equals(rawResource)) {
                for (String segment : List.of(account, account + SECONDARY_SUFFIX)) {
                    if (path.startsWith("/" + segment + "/")) {
                        return path.substring(segment.length() + 1);
                    }
                }
            }
            return path;
        }
    }

    /** @param loop runs tasks on the event loop that the request came in on */
    Request(Service service, String id, HttpServerRequest http, RemoteEndpoint client, Address address, Executor loop) {
        this.service = service;
        this.id = id;
        this.method = http.method().name();
        this.headers = http.headers();
        this.client = client;
        this.uri = http.uri();
        this.address = address;
        this.loop = loop;
        this.version = null;
        this.trace = new RequestTrace();
    }

    /** A request that stands in this one: addressed and described on its own, with the rest of this one. */
    private Request(
            Request whole,
            String id,
            String method,
            String uri,
            Address address,
            Map<String, String> headers,
            @Nullable String version,
            RequestTrace trace) {
        this.service = whole.service;
        this.id = id;
        this.method = method;
        this.headers = MultiMap.caseInsensitiveMultiMap().addAll(headers);
        this.client = whole.client;
        this.uri = uri;
        this.address = address;
        this.loop = whole.loop;
        this.version = version;
        this.trace = trace;
    }

    /** The request for a read that stands in this batch. */
    Request read(String rawResource, QueryParameters query, Map<String, String> partHeaders) {
        Address partAddress = new Address(
                address.account,
                address.secondary,
                address.authority,
                address.rawPath,
                rawResource,
                address.baseUrl,
                query);
        return new Request(this, id, "GET", uri, partAddress, partHeaders, version, trace);
    }

    /**
     * A request in this batch that is authorized, served and reported on its own, in the version of the batch: of this one
     * it has the account, the connection and the version, and none of the credentials.
     *
     * @param target the path, with or without the account and the first slash, and the query
     */
    Request subRequest(String partId, String partMethod, String target, Map<String, String> partHeaders) {
        String uri = target.startsWith("/") ? target : "/" + target;
        int question = uri.indexOf('?');
        String rawPath = question < 0 ? uri : uri.substring(0, question);
        String rawResource = address.resourceOf(rawPath);
        String accountSegment = rawPath.substring(0, rawPath.length() - rawResource.length());
        Address partAddress = new Address(
                address.account,
                address.secondary || accountSegment.endsWith(SECONDARY_SUFFIX),
                address.authority,
                rawPath,
                rawResource,
                address.baseUrl,
                question < 0 ? QueryParameters.NONE : QueryParameters.parse(uri.substring(question + 1)));
        String partVersion = headers.get(HeaderNames.of(VERSION));
        return new Request(this, partId, partMethod, uri, partAddress, partHeaders, partVersion, new RequestTrace());
    }

    /**
     * Finds the account: the first label of the host name if that is one of ours, else the first segment of the path.
     *
     * @throws StorageException when the target cannot be read
     */
    static Address address(HttpServerRequest http, boolean tls, Accounts accounts) {
        String host = http.getHeader(HeaderNames.of("Host"));
        if (host == null && http.authority() != null) {
            // HTTP/2 has a pseudo-header for it.
            host = http.authority().toString();
        }
        return address(http.uri(), host, tls, accounts);
    }

    /**
     * Finds the account likewise.
     *
     * @param uri a path, or a whole address, which then says the host too
     */
    static Address address(String uri, @Nullable String hostHeader, boolean tls, Accounts accounts) {
        String host = hostHeader;
        String target = uri;
        if (target.startsWith("http://") || target.startsWith("https://")) {
            int authority = target.indexOf("//") + 2;
            int path = indexOfPath(target, authority);
            host = target.substring(authority, path);
            target = target.substring(path);
        }
        if (host == null || host.isBlank()) {
            throw new StorageException(StorageError.HOST_INFORMATION_NOT_PRESENT);
        }
        if (!HeaderValidator.isHost(host)) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE);
        }
        int question = target.indexOf('?');
        String rawPath = question < 0 ? target : target.substring(0, question);
        QueryParameters query =
                question < 0 ? QueryParameters.NONE : QueryParameters.parse(target.substring(question + 1));
        if (!rawPath.startsWith("/")) {
            rawPath = "/" + rawPath;
        }
        String origin = (tls ? "https://" : "http://") + host;
        int dot = host.indexOf('.');
        if (dot > 0) {
            String label = host.substring(0, dot).toLowerCase(Locale.ROOT);
            String account = withoutSuffix(label);
            if (accounts.find(account).isPresent()) {
                return new Address(account, !account.equals(label), host, rawPath, rawPath, origin, query);
            }
        }
        int end = rawPath.indexOf('/', 1);
        String segment = rawPath.substring(1, end < 0 ? rawPath.length() : end);
        String account = withoutSuffix(segment);
        return new Address(
                account,
                !account.equals(segment),
                host,
                rawPath,
                end < 0 ? "/" : rawPath.substring(end),
                origin + "/" + segment,
                query);
    }

    private static int indexOfPath(String target, int from) {
        for (int i = from; i < target.length(); i++) {
            if (target.charAt(i) == '/' || target.charAt(i) == '?') {
                return i;
            }
        }
        return target.length();
    }

    private static String withoutSuffix(String name) {
        return name.endsWith(SECONDARY_SUFFIX) ? name.substring(0, name.length() - SECONDARY_SUFFIX.length()) : name;
    }

    void body(byte[] bytes, int offset, int length) {
        this.body = bytes;
        this.bodyOffset = offset;
        this.bodyLength = length;
        this.bytesIn = length;
    }

    /** The body is yet to come, from here. */
    void content(IncomingBody incoming) {
        this.content = incoming;
    }

    /** The body of a request to a service that takes bodies as they come. */
    IncomingBody content() {
        if (content == null) {
            throw new IllegalStateException("the body of this request came with it");
        }
        return content;
    }

    /** Counts bytes of a body that comes piece by piece. */
    void received(int bytes) {
        bytesIn += bytes;
    }

    /** Lets go of the body, which has been served; its length stays known. */
    void dropBody() {
        body = NO_BODY;
        bodyOffset = 0;
    }

    /** From here on failures come from the stored data, not from how the request is written. */
    void reachStore() {
        storeReached = true;
    }

    boolean storeReached() {
        return storeReached;
    }

    RequestTrace trace() {
        return trace;
    }

    /** This is what the client will be told. */
    void answered(Response response) {
        answer = response;
        answeredNanos = System.nanoTime();
    }

    @Override
    public Credentials credentials() {
        String authorization = headers.get(HeaderNames.of("Authorization"));
        if (authorization != null) {
            return authorization.strip().regionMatches(true, 0, "bearer ", 0, 7)
                    ? Credentials.BEARER
                    : Credentials.SHARED_KEY;
        }
        return address.query.has("sig") || address.query.has("sv")
                ? Credentials.SHARED_ACCESS_SIGNATURE
                : Credentials.ANONYMOUS;
    }

    @Override
    public String url() {
        return uri.startsWith("/") ? (client.tls() ? "https://" : "http://") + address.authority + uri : uri;
    }

    @Override
    public String rawResource() {
        return address.rawResource;
    }

    @Override
    public int clientPort() {
        return client.port();
    }

    @Override
    public Optional<String> answerHeader(String name) {
        return answer == null
                ? Optional.empty()
                : answer.headers().stream()
                        .filter(header -> header.getKey().equalsIgnoreCase(name))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    @Override
    public long headBytes() {
        return method.length() + uri.length() + " HTTP/1.1 ".length() + bytesOf(headers);
    }

    @Override
    public long answerHeadBytes() {
        return answer == null ? 0 : "HTTP/1.1 200 OK\r\n".length() + bytesOf(answer.headers());
    }

    private static long bytesOf(Iterable<Map.Entry<String, String>> headers) {
        long bytes = 2;
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        return bytes;
    }

    @Override
    public long sendingNanos() {
        return answer == null ? 0 : System.nanoTime() - answeredNanos;
    }

    RequestSummary summary(int status, long bytesOut, long nanos) {
        return new RequestSummary(
                id,
                header("x-ms-client-request-id"),
                client.address(),
                address.account,
                service,
                trace.operation(),
                trace.resource(),
                address.query,
                status,
                trace.error(),
                nanos,
                bytesIn,
                bytesOut,
                trace.plan(),
                trace.rowsExamined(),
                trace.rowsReturned(),
                this);
    }

    Service service() {
        return service;
    }

    String id() {
        return id;
    }

    /** The verb on the wire. */
    @Override
    public String method() {
        return method;
    }

    /** The verb that is meant: POST may carry another one in {@code X-HTTP-Method}. */
    String verb() {
        CharSequence name = HeaderNames.of("X-HTTP-Method");
        return headers.contains(name) ? tunnelledVerb(method, headers.getAll(name)) : method;
    }

    static String tunnelledVerb(String method, List<String> tunnelled) {
        if (tunnelled.size() > 1) {
            throw new StorageException(StorageError.X_METHOD_INCORRECT_COUNT);
        }
        if (!method.equals("POST")) {
            throw new StorageException(StorageError.X_METHOD_NOT_USING_POST);
        }
        String verb = tunnelled.get(0).strip().toUpperCase(Locale.ROOT);
        return switch (verb) {
            case "MERGE", "PATCH", "PUT", "DELETE" -> verb;
            default -> throw new StorageException(StorageError.X_METHOD_INCORRECT_VALUE);
        };
    }

    /** All of them, in the case they were sent in. */
    Iterable<Map.Entry<String, String>> headers() {
        return headers;
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(headerOrNull(name));
    }

    Optional<String> query(String name) {
        return address.query.find(name);
    }

    /** How long the client will wait, within what the service grants. */
    int timeoutSeconds(Duration max) {
        int longest = (int) max.toSeconds();
        return query("timeout")
                .filter(RequestPipeline::isTimeout)
                .map(text -> (int) Math.min(longest, Long.parseLong(text)))
                .filter(seconds -> seconds > 0)
                .orElse(longest);
    }

    /** Where to go on after another thread has answered that should not be kept from its own work. */
    Executor loop() {
        return loop;
    }

    Address address() {
        return address;
    }

    String account() {
        return address.account;
    }

    byte[] body() {
        return body;
    }

    int bodyOffset() {
        return bodyOffset;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** The part of the request that its credentials vouch for. */
    SignedRequest signed() {
        return new SignedRequest(
                service,
                method,
                address.account,
                address.rawPath,
                address.rawResource,
                address.query,
                this::headerOrNull,
                headers,
                client.address(),
                client.tls());
    }

    /**
     * A read of another address by the sender of this request, with no other credentials than those in the address and
     * these.
     */
    SignedRequest signedRead(Address other, Optional<String> authorization) {
        return new SignedRequest(
                service,
                "GET",
                other.account,
                other.rawPath,
                other.rawResource,
                other.query,
                name -> name.equalsIgnoreCase(VERSION)
                        ? headers.get(name)
                        : name.equalsIgnoreCase("Authorization") ? authorization.orElse(null) : null,
                List.of(),
                client.address(),
                client.tls());
    }

    private @Nullable String headerOrNull(String name) {
        if (version != null && name.equalsIgnoreCase(VERSION)) {
            return version;
        }
        return headers.get(HeaderNames.of(name));
    }
}
