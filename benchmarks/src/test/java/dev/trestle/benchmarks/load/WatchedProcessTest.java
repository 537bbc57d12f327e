package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class WatchedProcessTest {
    @Test
    void listening_sockets_are_told_from_connected_ones_and_from_other_ports() {
        List<String> table = List.of(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                "   0: 0100007F:2712 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100",
                "   1: 0100007F:2712 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100",
                "   2: 0100007F:2713 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100",
                "   3: 00000000000000000000000001000000:2712 00000000000000000000000000000000:0000 0A"
                        + " 00000000:00000000 00:00000000 00000000     0        0 14 1 0 100");
        assertThat(WatchedProcess.listening(table, 10002)).containsExactlyInAnyOrder("socket:[11]", "socket:[14]");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void the_process_behind_a_port_is_found_with_its_time_and_memory() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Optional<WatchedProcess> found = WatchedProcess.at(new Address("localhost", server.getLocalPort(), false));
            assertThat(found.orElseThrow().description())
                    .endsWith("pid " + ProcessHandle.current().pid());
            assertThat(found.get().cpuMicros().orElseThrow()).isPositive();
            // The peak is read last: this process may grow between two looks.
            long resident = found.get().residentBytes().orElseThrow();
            assertThat(resident).isGreaterThan(1 << 20);
            assertThat(found.get().residentBytesPeak().orElseThrow()).isGreaterThanOrEqualTo(resident);
        }
    }

    @Test
    void a_process_on_another_machine_is_not_looked_for() {
        assertThat(WatchedProcess.at(new Address("192.0.2.1", 10002, false))).isEmpty();
    }
}
