package dev.trestle.benchmarks.load;

import java.io.IOException;

/** The unit that is timed: a request, or a sequence of requests. */
interface Unit {
    /** Sends its requests over one connection, and fails if a response is not the expected one. */
    void perform(Caller caller) throws IOException;
}
