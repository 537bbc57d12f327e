package dev.trestle.server.admin;

/**
 * Where health and metrics are served.
 *
 * @param port 0 for any free one
 */
public record AdminConfig(String host, int port) {}
