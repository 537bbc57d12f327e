package dev.trestle.server.sockets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Buffers to read into, larger for connections that send much, smaller the more connections there are. A ring is given
 * a buffer for every connection that has something to read before the first of them is read, so all may hold one at
 * once; together these take at most half of the memory for sockets.
 */
final class RingBuffers implements RecvByteBufAllocator {
    private static final int BYTES_MIN = 2 * 1024;
    private static final int BYTES_MAX = 64 * 1024;

    private final RecvByteBufAllocator adaptive = new AdaptiveRecvByteBufAllocator(BYTES_MIN, BYTES_MIN, BYTES_MAX);
    private final long bytesOfAll = PlatformDependent.maxDirectMemory() / 2;
    private final AtomicInteger sockets = new AtomicInteger();

    void opened() {
        sockets.incrementAndGet();
    }

    void closed() {
        sockets.decrementAndGet();
    }

    private int bytesMax() {
        return (int) Math.max(BYTES_MIN, Math.min(BYTES_MAX, bytesOfAll / Math.max(1, sockets.get())));
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's own way to ask for one.
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
