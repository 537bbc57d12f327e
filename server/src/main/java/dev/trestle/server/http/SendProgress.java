package dev.trestle.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import org.jspecify.annotations.Nullable;

/**
 * Sees whether a client takes anything of a file that is sent to it. Vert.x only tells when all of it has been taken,
 * hence the reach below it. Belongs to an event loop.
 */
final class SendProgress {
    private final Channel channel;
    private @Nullable Object current;
    private long bytes;

    private SendProgress(Channel channel) {
        this.channel = channel;
    }

    static @Nullable SendProgress of(HttpConnection connection) {
        return connection instanceof ConnectionBase base ? new SendProgress(base.channel()) : null;
    }

    /** Whether something was taken since the last time. */
    boolean moved() {
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
