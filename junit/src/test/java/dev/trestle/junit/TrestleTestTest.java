package dev.trestle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.azure.data.tables.TableServiceClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The life cycle of servers, observed by running test classes. */
class TrestleTestTest {
    private static final List<String> SERVERS = new CopyOnWriteArrayList<>();

    /** Run only by the tests below. */
    @TrestleTest
    static class First {
        @Test
        void one(Trestle server, TableServiceClient tables) {
            tables.createTable("orders");
            SERVERS.add(server.endpoint("Table"));
        }

        @Nested
        class Inner {
            @Test
            void sees_the_same_server(Trestle server, TableServiceClient tables) {
                assertThat(tables.listTables().stream().map(table -> table.getName()))
                        .containsExactly("orders");
                SERVERS.add(server.endpoint("Table"));
            }
        }
    }

    @TrestleTest
    static class Second {
        private final TableServiceClient tables;

        Second(TableServiceClient tables) {
            this.tables = tables;
        }

        @Test
        void sees_nothing_of_another_class(Trestle server) {
            assertThat(tables.listTables()).isEmpty();
            assertThat(server.connectionString()).contains("QueueEndpoint=").contains("AccountName=testaccount;");
            SERVERS.add(server.endpoint("Table"));
        }
    }

    @Test
    void a_class_has_a_fresh_server_that_its_nested_classes_share_and_that_is_closed_in_the_end() {
        SERVERS.clear();

        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(First.class), selectClass(Second.class))
                .execute()
                .testEvents()
                .assertStatistics(events -> events.started(3).succeeded(3));

        assertThat(SERVERS).hasSize(3);
        assertThat(SERVERS.get(1)).isEqualTo(SERVERS.get(0));
        assertThat(SERVERS.get(2)).isNotEqualTo(SERVERS.get(0));
        assertThat(SERVERS).noneMatch(TrestleTestTest::accepts);
    }

    private static boolean accepts(String endpoint) {
        URI address = URI.create(endpoint);
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void a_server_can_be_started_by_hand_and_closed_twice() {
        Trestle server = Trestle.start();
        assertThat(accepts(server.endpoint("Table"))).isTrue();
        server.close();
        assertThatCode(server::close).doesNotThrowAnyException();
    }
}
