package dev.trestle.server.pipeline;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Request ids that look like GUIDs and are distinct: a random beginning for each process, then a count. */
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
