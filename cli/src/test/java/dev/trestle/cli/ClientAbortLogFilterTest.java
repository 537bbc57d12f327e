package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class ClientAbortLogFilterTest {
    private static final String RESET = "sendfile(..) failed with error(-104): Connection reset by peer";

    private static FilterReply reply(String logger, Throwable thrown) {
        return new ClientAbortLogFilter()
                .decide(new LoggingEvent(
                        "caller",
                        new LoggerContext().getLogger(logger),
                        Level.ERROR,
                        thrown.getMessage(),
                        thrown,
                        null));
    }

    @Test
    void a_download_that_its_client_broke_off_is_not_told() throws Exception {
        Class.forName(ClientAbortLogFilter.SENDER_OF_FILES);
        assertThat(reply(ClientAbortLogFilter.SENDER_OF_FILES, new ClosedChannelException()))
                .isEqualTo(FilterReply.DENY);
        assertThat(reply(ClientAbortLogFilter.SENDER_OF_FILES, new IOException(RESET)))
                .isEqualTo(FilterReply.DENY);
        assertThat(reply(ClientAbortLogFilter.SENDER_OF_FILES, new IOException("Broken pipe")))
                .isEqualTo(FilterReply.DENY);
    }

    @Test
    void a_file_that_cannot_be_read_is_told_and_so_is_what_others_say() {
        assertThat(reply(ClientAbortLogFilter.SENDER_OF_FILES, new IOException("Input/output error")))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(reply(ClientAbortLogFilter.SENDER_OF_FILES, new IllegalStateException(RESET)))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(reply("dev.trestle.Anything", new ClosedChannelException())).isEqualTo(FilterReply.NEUTRAL);
    }
}
