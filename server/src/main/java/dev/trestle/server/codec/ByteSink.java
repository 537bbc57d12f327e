package dev.trestle.server.codec;

/** Takes what is written piece by piece. */
@FunctionalInterface
public interface ByteSink {
    /** Takes the first bytes of an array, which is reused after the call. */
    void accept(byte[] bytes, int length);
}
