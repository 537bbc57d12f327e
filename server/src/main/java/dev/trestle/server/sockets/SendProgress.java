package dev.trestle.server.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/** Whether a client reads anything of a file that the kernel sends it. Belongs to an event loop. */
public final class SendProgress {
    private final Channel channel;
    private @Nullable Object current;
    private long bytes;

    SendProgress(Channel channel) {
        this.channel = channel;
    }

    /** Whether something was read since the last call. */
    public boolean moved() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null) {
            return false;
        }
        // A file goes out as one region after another.
        Object region = buffer.current();
        long taken = buffer.currentProgress();
        boolean moved = region != current || taken != bytes;
        current = region;
        bytes = taken;
        return moved;
    }
}
