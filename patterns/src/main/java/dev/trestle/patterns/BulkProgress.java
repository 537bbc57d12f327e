package dev.trestle.patterns;

/** How far bulk work has come: writes that are done, writes that are left over, transactions that were sent. */
public record BulkProgress(long written, long leftOver, long transactions) {}
