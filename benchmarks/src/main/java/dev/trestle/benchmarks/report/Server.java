package dev.trestle.benchmarks.report;

/**
 * A server that was measured.
 *
 * @param url without any secret
 * @param software what it calls itself, if anything
 * @param process its process, if it can be seen
 */
public record Server(String name, String url, String software, String process) {}
