package dev.trestle.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;

/**
 * Keeps out of the log that a client broke off a download which was sent from its file. Vert.x calls that an error, and
 * offers no place to take it; clients do it all the time. A file that cannot be read goes the same way, and is told.
 */
final class ClientAbortLogFilter extends Filter<ILoggingEvent> {
    static final String SENDER_OF_FILES = "io.vertx.core.net.impl.VertxConnection";

    /** What the system says of a connection whose other end is no more. */
    private static final List<String> GONE = List.of("Connection reset", "Broken pipe");

    @Override
    public FilterReply decide(ILoggingEvent event) {
        boolean told = event.getLoggerName().equals(SENDER_OF_FILES)
                && event.getThrowableProxy() instanceof ThrowableProxy proxy
                && isGone(proxy.getThrowable());
        return told ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private static boolean isGone(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof ClosedChannelException
                || (failure instanceof IOException && GONE.stream().anyMatch(message::contains));
    }
}
