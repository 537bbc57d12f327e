package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import org.junit.jupiter.api.Test;

/** The official SDK with its default options, which retries a 503. */
class SdkThrottlingIT {
    @Test
    void a_client_that_is_too_fast_for_its_partition_succeeds_in_the_end() {
        int entities = 12;
        try (TrestleProcess server = TrestleProcess.start("--in-memory", "--limit-partition-entities", "5")) {
            TableClient table = new TableServiceClientBuilder()
                    .connectionString(server.connectionString())
                    .buildClient()
                    .createTable("throttled");
            for (int i = 0; i < entities; i++) {
                table.createEntity(new TableEntity("p", "" + i));
            }
            assertThat(Sdk.rowKeys(table, "RowKey ge ''")).hasSize(entities);
            assertThat(server.metric("trestle_throttled_requests_total{limit=\"partition\"}"))
                    .as("times it had to wait")
                    .isPositive();
        }
    }
}
