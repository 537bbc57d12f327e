package dev.trestle.blob;

/**
 * The source of a copied blob.
 *
 * @param source its URL, without the signature
 * @param completed in ticks
 */
public record CopyState(String id, String source, long bytes, long completed) {}
