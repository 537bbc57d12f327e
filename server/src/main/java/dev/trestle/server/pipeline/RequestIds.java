package dev.trestle.server.pipeline;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Generates request ids in the form of GUIDs: a random prefix per process and a counter. Thread-safe. */
public final class RequestIds {
    private static final long COUNT_MASK = 0xFFFF_FFFF_FFFFL;

    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    public RequestIds(RandomGenerator random) {
        long bits = random.nextLong();
        prefix =
                String.format("%08x-%04x-%04x-%04x-", (int) (bits >>> 32), bits >>> 16 & 0xFFFF, bits & 0xFFFF, 0x8000);
    }

    public String next() {
        String digits = Long.toHexString(count.incrementAndGet() & COUNT_MASK);
        return prefix + "000000000000".substring(digits.length()) + digits;
    }
}
