package dev.trestle.blob;

/** A block of a blob, as it is listed. */
public record Block(String id, long length) {}
