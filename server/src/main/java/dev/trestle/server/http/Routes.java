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
}
