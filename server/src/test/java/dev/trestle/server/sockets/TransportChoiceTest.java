package dev.trestle.server.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.transport.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransportChoiceTest {
    @Test
    void by_default_the_kernel_sends_files_where_it_can() {
        Transport chosen = SocketTransport.AUTO.chooseForFiles();
        assertThat(chosen.available()).isTrue();
        assertThat(chosen).isSameAs(Transport.EPOLL.available() ? Transport.EPOLL : Transport.NIO);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void a_transport_that_was_named_serves_everything(SocketTransport named) {
        assertThat(named.chooseForFiles()).isSameAs(named.choose());
    }
}
