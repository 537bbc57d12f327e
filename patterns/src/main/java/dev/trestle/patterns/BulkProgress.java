package dev.trestle.patterns;

/** Progress of a bulk write: the numbers of successful writes, failed writes and transactions sent so far. */
public record BulkProgress(long written, long leftOver, long transactions) {}
