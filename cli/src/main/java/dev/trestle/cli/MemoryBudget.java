package dev.trestle.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.trestle.server.http.HttpConfig;
import java.lang.management.ManagementFactory;

/**
 * Divides the memory of the process. The launcher sets the maximum heap before Java starts. What the heap, the sockets
 * and Java itself leave goes to the engine, less the fragmentation of its allocator.
 *
 * @param totalBytes the memory of the process
 * @param heapBytes the maximum size of the Java heap
 * @param engineBytes for the block cache and the memtables of the engine
 */
record MemoryBudget(long totalBytes, long heapBytes, long engineBytes) {
    /** Socket buffers outside the heap. */
    static final long SOCKET_BYTES = 64L << 20;

    /** Classes, compiled code, threads and the tables of the garbage collector; 110 MiB were measured. */
    private static final long JAVA_BYTES = 128L << 20;

    /** With less, the memtables are so small that the engine compacts all the time. */
    private static final long ENGINE_BYTES_MIN = 32L << 20;

    /** Of five bytes that the engine takes it can use four, measured with one malloc arena. */
    private static final int TAKEN = 5;

    private static final int USED = 4;

    /** The row cache takes at most the heap divided by this. */
    private static final int ROW_CACHE_DIVISOR = 6;

    private static final long MIB = 1L << 20;

    /**
     * Divides the total.
     *
     * @throws ConfigException if it is too small; the message says what would be enough
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

    /** Returns the maximum heap of this process. */
    static long heapOfThisProcess() {
        HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        // Runtime.maxMemory excludes a survivor space.
        return machine == null
                ? Runtime.getRuntime().maxMemory()
                : Long.parseLong(machine.getVMOption("MaxHeapSize").getValue());
    }

    /**
     * Checks that requests and responses cannot fill the heap.
     *
     * @throws ConfigException if they can; the message says what would fit
     */
    void check(HttpConfig limits) {
        long available = availableBytes();
        if (limitBytes(limits) > available) {
            throw new ConfigException(
                    "--max-request-memory " + mib(limits.bufferedBytesMax()) + " and --max-response-memory "
                            + mib(limits.responseBytesMax()) + " do not fit into a Java heap of " + mib(heapBytes)
                            + ": twice the first and the second together may be " + mib(available)
                            + ". Make them smaller, or the heap larger, as with TRESTLE_JAVA_OPTS=-Xmx1g and a larger --memory.");
        }
    }

    /** Returns the size of the row cache on the heap: a part of it, or less if the limits do not leave that. */
    long rowCacheBytes(HttpConfig limits) {
        return Math.max(0, Math.min(heapBytes / ROW_CACHE_DIVISOR, availableBytes() - limitBytes(limits)));
    }

    /** A request body and the rows decoded from it are in memory together. */
    private static long limitBytes(HttpConfig limits) {
        return 2 * limits.bufferedBytesMax() + limits.responseBytesMax();
    }

    /** Returns the part of the heap that the limits may take. */
    private long availableBytes() {
        return heapBytes / 4 * 3;
    }

    /** Returns the text for the banner. */
    @Override
    public String toString() {
        return mib(totalBytes) + " at most: Java heap " + mib(heapBytes) + ", engine " + mib(engineBytes);
    }

    /** Formats a size as options take it, rounded up. */
    private static String mib(long bytes) {
        return (bytes + MIB - 1) / MIB + "m";
    }
}
