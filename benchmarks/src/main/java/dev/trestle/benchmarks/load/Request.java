package dev.trestle.benchmarks.load;

import java.io.IOException;

/**
 * An encoded request and its expected response. Each connection has one and overwrites it for each call.
 */
final class Request implements Unit {
    private final ByteText wire = new ByteText();
    private final ByteText body = new ByteText();
    private int status;
    private Counted counted = Counted.NOTHING;
    private int count;

    /** What is counted in a response to check that it is complete. */
    enum Counted {
        NOTHING(""),
        /** The bytes of the body. */
        BYTES(""),
        ENTITIES("\"RowKey\":"),
        BLOBS("<Blob>"),
        WRITES("HTTP/1.1 204");

        private final String mark;

        Counted(String mark) {
            this.mark = mark;
        }

        String mark() {
            return mark;
        }
    }

    /** Returns an empty body to write to. */
    ByteText newBody() {
        return body.clear();
    }

    /** Returns an empty head to write to. */
    ByteText newHead() {
        return wire.clear();
    }

    /** Ends the head, appends the body, and sets the expected response. */
    Request expect(int expectedStatus, Counted what, int howMany) {
        if (body.length() > 0) {
            wire.text("Content-Length: ").number(body.length()).text("\r\n");
        }
        wire.text("\r\n").bytes(body.data(), 0, body.length());
        status = expectedStatus;
        counted = what;
        count = howMany;
        return this;
    }

    @Override
    public void perform(Caller caller) throws IOException {
        caller.call(this);
    }

    ByteText wire() {
        return wire;
    }

    int status() {
        return status;
    }

    Counted counted() {
        return counted;
    }

    int count() {
        return count;
    }

    /** Returns method and path, without the query, which may contain a signature. */
    String summary() {
        String all = wire.toString();
        return all.substring(0, all.indexOf(" HTTP/1.1")).split("\\?", 2)[0];
    }
}
