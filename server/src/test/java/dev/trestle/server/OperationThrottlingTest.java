package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.OperationExamples.Example;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.pipeline.Operation.ThrottlingCost;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations that are declared to count entities are those that the limit of a partition refuses. */
class OperationThrottlingTest {
    /** More than one per second, so that the bucket stays empty for longer than the test takes. */
    private static final int ENTITIES = 60;

    private final GuardedServer server = GuardedServer.with(new HttpConfig(
            HttpLimits.CONNECTIONS_MAX,
            HttpLimits.BUFFERED_BYTES_MAX,
            new RateLimits(OptionalInt.empty(), OptionalInt.of(1))));

    @AfterEach
    void stop() {
        server.close();
    }

    static List<Example> operations() {
        return OperationExamples.ALL;
    }

    @ParameterizedTest
    @MethodSource("operations")
    void an_operation_counts_entities_if_it_is_declared_to(Example example) throws IOException {
        server.owner(
                Service.TABLE, "POST", "/Tables", "{\"TableName\":\"resource\"}", "Content-Type: application/json");
        server.owner(Service.QUEUE, "PUT", "/resource", "");
        server.owner(Service.BLOB, "PUT", "/resource?restype=container", "");
        assertThat(server.owner(
                                Service.TABLE,
                                "POST",
                                "/$batch",
                                transaction(),
                                "Content-Type: multipart/mixed; boundary=b")
                        .status())
                .isEqualTo(202);
        // A query counts if its filter names one partition.
        String path =
                example.operation().equals("QueryEntities") ? "/R()?$filter=PartitionKey%20eq%20'p'" : example.path();
        int status = server.owner(
                        example.service(),
                        example.method(),
                        filled(path),
                        filled(example.body()),
                        example.headers().stream()
                                .map(OperationThrottlingTest::filled)
                                .toArray(String[]::new))
                .status();
        boolean counts = example.declared().cost() == ThrottlingCost.REQUEST_AND_ENTITIES;
        assertThat(status == 503).as("%s: %s", example, status).isEqualTo(counts);
    }

    private static String transaction() {
        StringBuilder body = new StringBuilder("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
        for (int i = 0; i < ENTITIES; i++) {
            body.append("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .append("POST /devstoreaccount1/resource HTTP/1.1\r\nContent-Type: application/json\r\n\r\n")
                    .append("{\"PartitionKey\":\"p\",\"RowKey\":\"")
                    .append(i)
                    .append("\"}\r\n");
        }
        return body.append("--c--\r\n--b--\r\n").toString();
    }

    private static String filled(String text) {
        return text.replace("NEW", "new1").replaceAll("\\bR\\b", "resource");
    }
}
