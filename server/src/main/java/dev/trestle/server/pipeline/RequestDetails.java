package dev.trestle.server.pipeline;

import java.util.Optional;

/**
 * Further details of a finished request, which only some observers need. They are computed on demand, and are only
 * valid during the call of the observer.
 */
public interface RequestDetails {
    /** The details of a message that could not be parsed as a request. */
    RequestDetails NONE = new RequestDetails() {};

    /** The kind of credentials of a request, whether valid or not. */
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

    /** The whole URL as sent, including any signature. */
    default String url() {
        return "";
    }

    /** The path after the account, as sent. */
    default String rawResource() {
        return "";
    }

    /** The remote port; 0 if unknown. */
    default int clientPort() {
        return 0;
    }

    default Optional<String> header(String name) {
        return Optional.empty();
    }

    default Optional<String> responseHeader(String name) {
        return Optional.empty();
    }

    /** The approximate length of the request line and the headers. */
    default long headBytes() {
        return 0;
    }

    /** The approximate length of the status line and the headers of the response. */
    default long responseHeadBytes() {
        return 0;
    }

    /** The part of the duration in which the client read the response. */
    default long sendingNanos() {
        return 0;
    }
}
