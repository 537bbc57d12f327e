package dev.trestle.server.admin;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How requests are logged.
 *
 * @param file added to, and made when there is none; standard error when empty
 */
public record AccessLogConfig(AccessLogFormat format, Optional<Path> file) {}
