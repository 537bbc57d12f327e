package dev.trestle.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.trestle.server.http.HttpConfig;
import java.lang.management.ManagementFactory;

/**
 * How the memory that the whole process may take is shared out. The heap was decided before Java started, by the
 * launcher; what it, the sockets and Java itself leave goes to the engine, less what its allocator loses between blocks.
 *
 * @param totalBytes all of it
 * @param heapBytes the most the Java heap can grow to
 * @param engineBytes what the engine may cache and hold in memtables
 */
record MemoryBudget(long totalBytes, long heapBytes, long engineBytes) {
    /** Buffers outside the heap for what is read from and written to sockets. */
    static final long SOCKET_BYTES = 64L << 20;

    /** Classes, compiled code, threads and the collector's own tables; about 110 MiB were measured. */
    private static final long JAVA_BYTES = 128L << 20;

    /** Less is no cache to speak of, and memtables so small that the disk does nothing but compact. */
    private static final long ENGINE_BYTES_MIN = 32L << 20;

    /** Of five bytes the engine's memory takes, it can use four: measured, with the launcher's one malloc arena. */
    private static final int TAKEN = 5;

    private static final int USED = 4;

    /** One part of so many of the heap is for rows. */
    private static final int ROW_CACHE_PART = 6;

    private static final long MIB = 1L << 20;

    /**
     * Shares out the total.
     *
     * @throws ConfigException when it is too little, with a sentence that says what would be enough
     */
    static MemoryBudget of(long totalBytes, long heapBytes) {
        long fixed = heapBytes + SOCKET_BYTES + JAVA_BYTES;
        long engine = (totalBytes - fixed) / TAKEN * USED;
        if (engine < ENGINE_BYTES_MIN) {
            throw new ConfigException("--memory " + mib(totalBytes) + " is too little: the Java heap may take "
                    + mib(heapBytes) + ", sockets and Java itself take " + mib(SOCKET_BYTES + JAVA_BYTES)
                    + ", and the engine needs some. Give at least --memory "
                    + mib(fixed + ENGINE_BYTES_MIN / USED * TAKEN)
                    + ", or make the heap smaller, as with TRESTLE_JAVA_OPTS=-Xmx256m.");
        }
        return new MemoryBudget(totalBytes, heapBytes, engine);
    }

    /** The most the heap of this process can grow to. */
    static long heapOfThisProcess() {
        HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        // The runtime's own answer leaves out a space that objects are copied to.
        return machine == null
                ? Runtime.getRuntime().maxMemory()
                : Long.parseLong(machine.getVMOption("MaxHeapSize").getValue());
    }

    /**
     * Refuses limits that would let clients fill the heap.
     *
     * @throws ConfigException with a sentence that says what would fit
     */
    void check(HttpConfig limits) {
        long granted = grantedBytes();
        if (askedBytes(limits) > granted) {
            throw new ConfigException(
                    "--max-body-memory " + mib(limits.bufferedBytesMax()) + " and --max-answer-memory "
                            + mib(limits.responseBytesMax()) + " do not fit into a Java heap of " + mib(heapBytes)
                            + ": twice the first and the second together may be " + mib(granted)
                            + ". Make them smaller, or the heap larger, as with TRESTLE_JAVA_OPTS=-Xmx1g and a larger --memory.");
        }
    }

    /** What the engine may take of the heap to keep rows there: a part of it, as far as the limits leave that. */
    long rowCacheBytes(HttpConfig limits) {
        return Math.max(0, Math.min(heapBytes / ROW_CACHE_PART, grantedBytes() - askedBytes(limits)));
    }

    /** A body and the rows that are made of it live side by side for a while. */
    private static long askedBytes(HttpConfig limits) {
        return 2 * limits.bufferedBytesMax() + limits.responseBytesMax();
    }

    /** Of the heap; all else that is there needs room as well. */
    private long grantedBytes() {
        return heapBytes / 4 * 3;
    }

    /** As the banner shows it. */
    @Override
    public String toString() {
        return mib(totalBytes) + " at most: Java heap " + mib(heapBytes) + ", engine " + mib(engineBytes);
    }

    /** In the way sizes are given, rounded up. */
    private static String mib(long bytes) {
        return (bytes + MIB - 1) / MIB + "m";
    }
}
