package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests over one connection and checks the responses. */
final class Caller implements AutoCloseable {
    /** Counting the entities of a page is as expensive as creating the page, so only every n-th page is counted. */
    private static final int COUNTED_EVERY = 16;

    /** The least length of an entity, or of a blob in a list; the length of each response is checked with it. */
    private static final int ENTITY_BYTES_MIN = 300;

    private static final int BEGIN_BYTES = 2048;
    private static final Pattern ERROR_CODE = Pattern.compile("\"code\"\\s*:\\s*\"(\\w+)\"|<[cC]ode>(\\w+)</[cC]ode>");

    private final Connection connection;
    private final MarkCounter entities = new MarkCounter(Counted.ENTITIES.mark());
    private final MarkCounter blobs = new MarkCounter(Counted.BLOBS.mark());
    private final MarkCounter writes = new MarkCounter(Counted.WRITES.mark());
    private final ByteText begin = new ByteText();
    private final ByteText whole = new ByteText();
    private long bodyBytes;
    private int pages;

    Caller(Address address) throws IOException {
        connection = new Connection(address);
    }

    /** An unexpected response; the message describes it without any secret. */
    static final class UnexpectedResponse extends IOException {
        private final int status;

        UnexpectedResponse(int status, String sentence) {
            super(sentence);
            this.status = status;
        }

        /** Whether a retry may succeed. */
        boolean passing() {
            return status >= 500;
        }
    }

    /**
     * A response whose status the caller checks.
     *
     * @param text the beginning of the body
     * @param server the server's name from its Server header
     */
    record Response(int status, String text, String server) {}

    Response exchange(Request request) throws IOException {
        int status = exchange(request, Connection.Body.IGNORED);
        return new Response(status, begin.toString(), connection.server());
    }

    /** Like {@link #exchange}, with the whole body. */
    Response exchangeWhole(Request request) throws IOException {
        whole.clear();
        int status = exchange(request, (data, from, to) -> whole.bytes(data, from, to - from));
        return new Response(status, whole.toString(), connection.server());
    }

    /**
     * Sends the request and checks the response.
     *
     * @throws UnexpectedResponse if the response is not the expected one
     */
    void call(Request request) throws IOException {
        switch (request.counted()) {
            case NOTHING -> checkStatus(request, exchange(request, Connection.Body.IGNORED));
            // The status of a transaction does not tell whether it succeeded.
            case WRITES -> counted(request, writes);
            case BYTES -> {
                checkStatus(request, exchange(request, Connection.Body.IGNORED));
                if (bodyBytes != request.count()) {
                    throw new UnexpectedResponse(
                            request.status(),
                            request.summary() + " got " + bodyBytes + " bytes instead of " + request.count());
                }
            }
            case BLOBS, ENTITIES -> {
                if (request.count() == 1 || pages++ % COUNTED_EVERY == 0) {
                    counted(request, request.counted() == Counted.BLOBS ? blobs : entities);
                } else {
                    checkStatus(request, exchange(request, Connection.Body.IGNORED));
                }
                if (bodyBytes < (long) request.count() * ENTITY_BYTES_MIN) {
                    throw new UnexpectedResponse(
                            request.status(), request.summary() + " got only " + bodyBytes + " bytes");
                }
            }
        }
    }

    private void counted(Request request, MarkCounter counter) throws IOException {
        checkStatus(request, exchange(request, counter.reset()));
        if (counter.count() != request.count()) {
            throw new UnexpectedResponse(
                    request.status(),
                    request.summary() + " got " + counter.count() + " instead of " + request.count()
                            + (counter == writes ? " writes" : counter == blobs ? " blobs" : " entities")
                            + errorCode());
        }
    }

    private void checkStatus(Request request, int status) throws UnexpectedResponse {
        if (status != request.status()) {
            throw new UnexpectedResponse(
                    status,
                    request.summary() + " got status " + status + " instead of " + request.status() + errorCode());
        }
    }

    private int exchange(Request request, Connection.Body body) throws IOException {
        begin.clear();
        bodyBytes = 0;
        return connection.exchange(request.wire(), (data, from, to) -> {
            int room = Math.min(to - from, BEGIN_BYTES - begin.length());
            if (room > 0) {
                begin.bytes(data, from, room);
            }
            bodyBytes += to - from;
            body.bytes(data, from, to);
        });
    }

    /** Returns the service's error code only: its message may repeat a signature. */
    private String errorCode() {
        return errorCode(begin.toString());
    }

    /** Returns the error code of a body with a comma before it, or an empty text if it has none. */
    static String errorCode(String body) {
        Matcher code = ERROR_CODE.matcher(body);
        if (!code.find()) {
            return "";
        }
        return ", " + (code.group(1) == null ? code.group(2) : code.group(1));
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
