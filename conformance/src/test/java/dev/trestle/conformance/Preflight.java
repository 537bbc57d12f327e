package dev.trestle.conformance;

import java.io.IOException;
import java.util.List;

/**
 * The CORS preflight request of a browser to the account with two keys, before a page of another origin writes to
 * it.
 */
final class Preflight {
    private Preflight() {}

    /**
     * @param path within the account
     * @param header that the page wants to send
     */
    static RawResponse from(String origin, int port, String path, String header) throws IOException {
        try (RawConnection connection = new RawConnection(port)) {
            return connection.exchange(
                    new RawRequest("OPTIONS", "/" + SharedServer.OTHER_ACCOUNT + path, List.of(), new byte[0])
                            .with("Host", "127.0.0.1")
                            .with("Origin", origin)
                            .with("Access-Control-Request-Method", "PUT")
                            .with("Access-Control-Request-Headers", header));
        }
    }
}
