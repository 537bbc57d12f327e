package dev.trestle.server.admin;

/** How a line of the access log is written: the same fields under the same names, in the same order. */
public enum AccessLogFormat {
    /** {@code name=value}, separated by spaces, the value in quotes where it needs them. */
    TEXT,
    /** One JSON object a line. */
    JSON
}
