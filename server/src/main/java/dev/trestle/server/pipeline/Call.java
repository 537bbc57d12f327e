package dev.trestle.server.pipeline;

import dev.trestle.server.auth.Grant;

/** An authorized call of an operation. Services add the resource. */
public interface Call {
    Request request();

    /** The grant, for checks that need more than the operation, such as key ranges. */
    Grant grant();
}
