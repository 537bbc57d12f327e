package dev.trestle.blob;

/**
 * Where a blob was copied from.
 *
 * @param source its address, without what would let its reader in
 * @param completed in ticks
 */
public record CopyState(String id, String source, long bytes, long completed) {}
