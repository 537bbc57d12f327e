package dev.trestle.benchmarks.report;

/**
 * A server that was measured.
 *
 * @param url without any secret
 * @param software the name in its Server header, or an empty text
 * @param process name and id of its process, or an empty text
 */
public record Server(String name, String url, String software, String process) {}
