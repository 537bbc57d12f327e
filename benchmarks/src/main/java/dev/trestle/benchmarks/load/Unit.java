package dev.trestle.benchmarks.load;

import java.io.IOException;

/** What is timed as one: a request, or some that follow from each other. */
interface Unit {
    /** Makes its requests over one connection, and fails if an answer is not what it has to be. */
    void perform(Caller caller) throws IOException;
}
