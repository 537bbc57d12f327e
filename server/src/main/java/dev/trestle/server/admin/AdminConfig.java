package dev.trestle.server.admin;

import java.util.OptionalLong;

/**
 * Configuration of the admin port.
 *
 * @param port 0 for any free port
 * @param memoryBytes the memory limit of the process, if there is one, for the metrics
 */
public record AdminConfig(String host, int port, OptionalLong memoryBytes) {
    /** Creates a configuration without a memory limit. */
    public AdminConfig(String host, int port) {
        this(host, port, OptionalLong.empty());
    }
}
