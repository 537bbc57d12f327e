package dev.trestle.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.admission.ConnectionLimiter.Slot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionLimiterTest {
    private static final RemoteNetwork A = RemoteNetwork.of("10.0.0.1");
    private static final RemoteNetwork B = RemoteNetwork.of("10.0.0.2");

    private final List<String> closed = new ArrayList<>();

    private Slot enter(ConnectionLimiter limiter, RemoteNetwork network, String name) {
        return limiter.enter(network, () -> closed.add(name)).orElseThrow();
    }

    private static boolean isRefused(ConnectionLimiter limiter, RemoteNetwork network) {
        return limiter.enter(network, () -> {}).isEmpty();
    }

    @Test
    void the_connection_idle_longest_makes_room() {
        ConnectionLimiter limiter = new ConnectionLimiter(3, 3);
        Slot first = enter(limiter, A, "first");
        enter(limiter, A, "second");
        enter(limiter, B, "third");
        first.begin();
        first.end();
        enter(limiter, B, "fourth");
        enter(limiter, B, "fifth");
        assertThat(closed).containsExactly("second", "third");
        assertThat(limiter.connections()).isEqualTo(3);
        assertThat(limiter.evicted()).isEqualTo(2);
    }

    @Test
    void the_order_holds_for_more_connections_than_one_scan_finds() {
        int count = 500;
        ConnectionLimiter limiter = new ConnectionLimiter(count, count);
        List<String> names = new ArrayList<>();
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slots.add(enter(limiter, A, "" + i));
        }
        for (int i = 0; i < count; i += 3) {
            slots.get(i).begin();
        }
        for (int i = 0; i < count; i++) {
            if (i % 3 > 0) {
                names.add("" + i);
            }
        }
        names.forEach(name -> enter(limiter, A, "new"));
        assertThat(closed).isEqualTo(names);
    }

    @Test
    void a_connection_is_refused_only_if_none_is_idle() {
        ConnectionLimiter limiter = new ConnectionLimiter(2, 2);
        Slot first = enter(limiter, A, "first");
        Slot second = enter(limiter, A, "second");
        first.begin();
        second.begin();
        assertThat(isRefused(limiter, B)).isTrue();
        assertThat(limiter.refused()).isEqualTo(1);
        second.end();
        assertThat(isRefused(limiter, B)).isFalse();
        assertThat(closed).containsExactly("second");
    }

    @Test
    void a_network_at_its_limit_makes_room_by_itself() {
        ConnectionLimiter limiter = new ConnectionLimiter(10, 2);
        enter(limiter, B, "other");
        Slot first = enter(limiter, A, "first");
        Slot second = enter(limiter, A, "second");
        first.begin();
        Slot third = enter(limiter, A, "third");
        assertThat(closed).containsExactly("second");
        assertThat(second.isEvicted()).isTrue();
        third.begin();
        assertThat(isRefused(limiter, A)).isTrue();
        assertThat(isRefused(limiter, B)).isFalse();
    }

    @Test
    void an_evicted_connection_begins_no_request_and_a_busy_one_is_not_evicted() {
        ConnectionLimiter limiter = new ConnectionLimiter(1, 1);
        Slot first = enter(limiter, A, "first");
        Slot second = enter(limiter, A, "second");
        assertThat(first.begin()).isFalse();
        assertThat(second.begin()).isTrue();
        assertThat(isRefused(limiter, A)).isTrue();
        assertThat(second.isEvicted()).isFalse();
    }

    @Test
    void nothing_is_kept_of_connections_that_are_gone() {
        ConnectionLimiter limiter = new ConnectionLimiter(100, 10);
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            slots.add(enter(limiter, RemoteNetwork.of("10.0." + i / 250 + "." + i % 250), "" + i));
        }
        assertThat(limiter.networks()).isEqualTo(100);
        slots.forEach(Slot::leave);
        slots.forEach(Slot::leave);
        assertThat(limiter.connections()).isZero();
        assertThat(limiter.networks()).isZero();
    }

    @Test
    void addresses_of_one_network_of_ipv6_count_together() {
        assertThat(RemoteNetwork.of("2001:db8:1:2::1"))
                .isEqualTo(RemoteNetwork.of("2001:db8:1:2:ffff:ffff:ffff:ffff"))
                .isNotEqualTo(RemoteNetwork.of("2001:db8:1:3::1"));
        assertThat(RemoteNetwork.of("fe80::1%eth0")).isEqualTo(RemoteNetwork.of("fe80::2"));
    }

    @Test
    void addresses_of_ipv4_count_each_also_on_a_socket_of_ipv6() {
        assertThat(RemoteNetwork.of("::ffff:10.0.0.1")).isEqualTo(A).isNotEqualTo(B);
        assertThat(RemoteNetwork.of("::1")).isNotEqualTo(RemoteNetwork.of("0.0.0.0"));
    }

    @Test
    void what_is_no_address_counts_as_one() {
        assertThat(RemoteNetwork.of("")).isEqualTo(RemoteNetwork.of("/run/socket"));
    }
}
