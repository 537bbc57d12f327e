package dev.trestle.benchmarks.report;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A restart of a server on its data.
 *
 * @param untilServing the time from the start of the process to its first response
 * @param residentBytes its resident memory after that
 * @param folderBytes the size of the data on disk
 */
public record Restart(long entities, Duration untilServing, OptionalLong residentBytes, long folderBytes) {}
