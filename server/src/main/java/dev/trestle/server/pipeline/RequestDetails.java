package dev.trestle.server.pipeline;

import java.util.Optional;

/**
 * The rest of what is known of a finished request, for the few who ask. Nothing of it is worked out before, and it can be
 * asked for only while the observer is being told.
 */
public interface RequestDetails {
    /** Of what was never understood as a request. */
    RequestDetails NONE = new RequestDetails() {};

    /** What a request shows to be let in, whether that is good or not. */
    enum Credentials {
        ANONYMOUS,
        BEARER,
        SHARED_ACCESS_SIGNATURE,
        SHARED_KEY
    }

    default Credentials credentials() {
        return Credentials.ANONYMOUS;
    }

    /** The verb on the wire. */
    default String method() {
        return "";
    }

    /** The whole address as it was sent, with any signature in it. */
    default String url() {
        return "";
    }

    /** The part of the path behind the account, as it was sent. */
    default String rawResource() {
        return "";
    }

    /** The port the client sent from, 0 if it is not known. */
    default int clientPort() {
        return 0;
    }

    default Optional<String> header(String name) {
        return Optional.empty();
    }

    default Optional<String> answerHeader(String name) {
        return Optional.empty();
    }

    /** About how many bytes the head of the request had. */
    default long headBytes() {
        return 0;
    }

    /** About how many bytes the head of the answer has. */
    default long answerHeadBytes() {
        return 0;
    }

    /** How long the client has taken its time over the answer; a part of all the time the request took. */
    default long sendingNanos() {
        return 0;
    }
}
