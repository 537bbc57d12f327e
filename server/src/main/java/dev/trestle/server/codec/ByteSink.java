package dev.trestle.server.codec;

/** Consumes output piece by piece. */
@FunctionalInterface
public interface ByteSink {
    /** Consumes the first {@code length} bytes of an array that the caller reuses after the call. */
    void accept(byte[] bytes, int length);
}
