package dev.trestle.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;

/**
 * Log filter that drops the errors Vert.x logs when a client disconnects during a download that is sent from a file.
 * Vert.x offers no other handler for them. Failures to read the file come from the same logger and pass.
 */
final class ClientAbortLogFilter extends Filter<ILoggingEvent> {
    static final String SENDER_OF_FILES = "io.vertx.core.net.impl.VertxConnection";

    /** Messages of the system for a connection that the client closed. */
    private static final List<String> DISCONNECTED = List.of("Connection reset", "Broken pipe");

    @Override
    public FilterReply decide(ILoggingEvent event) {
        boolean dropped = event.getLoggerName().equals(SENDER_OF_FILES)
                && event.getThrowableProxy() instanceof ThrowableProxy proxy
                && isDisconnect(proxy.getThrowable());
        return dropped ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private static boolean isDisconnect(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof ClosedChannelException
                || (failure instanceof IOException && DISCONNECTED.stream().anyMatch(message::contains));
    }
}
