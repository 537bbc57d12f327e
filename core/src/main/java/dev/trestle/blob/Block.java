package dev.trestle.blob;

/** A block in a block list. */
public record Block(String id, long length) {}
