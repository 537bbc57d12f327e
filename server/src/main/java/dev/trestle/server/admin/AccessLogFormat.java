package dev.trestle.server.admin;

/** The format of the access log. Both formats have the same fields, with the same names and in the same order. */
public enum AccessLogFormat {
    /** {@code name=value} pairs separated by spaces; values are quoted if necessary. */
    TEXT,
    /** One JSON object per line. */
    JSON
}
