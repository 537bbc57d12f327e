package dev.trestle.benchmarks.load;

import java.io.IOException;

/**
 * A request as it goes onto the wire, and what has to come back. Each connection has one, written anew for each call.
 */
final class Request implements Unit {
    private final ByteText wire = new ByteText();
    private final ByteText body = new ByteText();
    private int status;
    private Counted counted = Counted.NOTHING;
    private int count;

    /** What is counted in an answer to know that it is whole. */
    enum Counted {
        NOTHING(""),
        /** Of the body, whatever they are. */
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

    /** The body to be, empty. */
    ByteText newBody() {
        return body.clear();
    }

    /** The head to be, empty. */
    ByteText newHead() {
        return wire.clear();
    }

    /** Ends the head, adds the body, and says what the answer has to be. */
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

    /** Method and path, without the query, which may hold a signature. */
    String summary() {
        String all = wire.toString();
        return all.substring(0, all.indexOf(" HTTP/1.1")).split("\\?", 2)[0];
    }
}
