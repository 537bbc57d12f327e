package dev.trestle.server.admin;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Configuration of the access log.
 *
 * @param file the file to append to, created if missing; empty for standard error
 */
public record AccessLogConfig(AccessLogFormat format, Optional<Path> file) {}
