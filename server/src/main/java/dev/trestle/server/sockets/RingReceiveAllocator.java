package dev.trestle.server.sockets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Allocates receive buffers for io_uring: larger for connections that receive much, smaller with more connections.
 * A ring takes a buffer for every readable connection before the first is read, so all connections may hold one at
 * once. Together they use at most half of the direct memory.
 */
final class RingReceiveAllocator implements RecvByteBufAllocator {
    private static final int BYTES_MIN = 2 * 1024;
    private static final int BYTES_MAX = 64 * 1024;

    private final RecvByteBufAllocator adaptive = new AdaptiveRecvByteBufAllocator(BYTES_MIN, BYTES_MIN, BYTES_MAX);
    private final long totalBytesMax = PlatformDependent.maxDirectMemory() / 2;
    private final AtomicInteger sockets = new AtomicInteger();

    void opened() {
        sockets.incrementAndGet();
    }

    void closed() {
        sockets.decrementAndGet();
    }

    private int bytesMax() {
        return (int) Math.max(BYTES_MIN, Math.min(BYTES_MAX, totalBytesMax / Math.max(1, sockets.get())));
    }

    @Override
    @SuppressWarnings("deprecation") // Netty itself calls the deprecated method.
    public Handle newHandle() {
        return new Bounded((ExtendedHandle) adaptive.newHandle());
    }

    private final class Bounded extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle adaptive;

        Bounded(ExtendedHandle adaptive) {
            super(adaptive);
            this.adaptive = adaptive;
        }

        @Override
        public int guess() {
            return Math.min(adaptive.guess(), bytesMax());
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator buffers) {
            return buffers.ioBuffer(guess());
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return adaptive.continueReading(maybeMoreData);
        }
    }
}
