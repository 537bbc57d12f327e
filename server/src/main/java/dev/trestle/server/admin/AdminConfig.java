package dev.trestle.server.admin;

import java.util.OptionalLong;

/**
 * Where health and metrics are served.
 *
 * @param port 0 for any free one
 * @param memoryBytes what the process may take in all, if that was decided; told beside what it takes
 */
public record AdminConfig(String host, int port, OptionalLong memoryBytes) {
    /** With memory that nobody decided about. */
    public AdminConfig(String host, int port) {
        this(host, port, OptionalLong.empty());
    }
}
