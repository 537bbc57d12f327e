package dev.trestle.benchmarks.report;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A server that was started again on its data.
 *
 * @param untilServing from the start of its process to its first answer
 * @param residentBytes its memory then
 * @param folderBytes what the data take up on the disk
 */
public record Restart(long entities, Duration untilServing, OptionalLong residentBytes, long folderBytes) {}
