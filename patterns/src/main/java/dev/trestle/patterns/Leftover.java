package dev.trestle.patterns;

/**
 * A write of a bulk that was not done, and why.
 *
 * @param mayBeWritten whether nobody can tell: it was sent, and no answer came or the server failed in between. Otherwise it is
 *     certain that it was not done.
 */
public record Leftover(Write write, Throwable reason, boolean mayBeWritten) {}
