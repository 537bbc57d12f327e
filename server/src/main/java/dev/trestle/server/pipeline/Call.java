package dev.trestle.server.pipeline;

import dev.trestle.server.auth.Grant;

/** A call of an operation: a request whose sender is known to be allowed it. Services add the resource it is on. */
public interface Call {
    Request request();

    /** What else the sender may do. */
    Grant grant();
}
