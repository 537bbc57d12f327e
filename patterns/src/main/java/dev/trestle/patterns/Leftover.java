package dev.trestle.patterns;

/**
 * A write of a bulk that failed, with its reason.
 *
 * @param mayBeWritten whether the outcome is unknown: the write was sent, but no response arrived or the server failed. If false,
 *     the write certainly had no effect.
 */
public record Leftover(Write write, Throwable reason, boolean mayBeWritten) {}
