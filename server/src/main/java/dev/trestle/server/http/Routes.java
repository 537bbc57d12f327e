package dev.trestle.server.http;

import dev.trestle.server.auth.Grant;
import java.util.concurrent.CompletionStage;

/** The operations of one service. */
interface Routes {

    /**
     * Finds out what the request means, whether it may, and does it. What is thrown is answered as what the stage fails
     * with.
     */
    CompletionStage<Response> serve(Request request, Grant grant);

    /**
     * Whether requests are served on their heads alone, and ask for their bodies with {@link Request#content}. Else the
     * body is whole, and compared with the digest its sender gave, before the request is served.
     */
    default boolean streamsBodies() {
        return false;
    }
}
