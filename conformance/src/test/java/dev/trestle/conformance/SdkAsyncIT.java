package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The asynchronous client sends the same requests, but many at a time on a few connections. */
@ExtendWith(SharedServer.class)
class SdkAsyncIT {
    private final TableServiceAsyncClient service;

    SdkAsyncIT(TrestleProcess server) {
        this.service = Sdk.service().connectionString(server.connectionString()).buildAsyncClient();
    }

    @Test
    void two_hundred_concurrent_inserts_all_arrive() {
        String name = SharedServer.newTableName();
        TableAsyncClient table = service.createTable(name).block();
        Flux.range(0, 200)
                .flatMap(i -> table.createEntity(new TableEntity("p" + i % 7, "r" + i).addProperty("N", i)), 32)
                .blockLast();
        assertThat(table.listEntities().collectList().block()).hasSize(200);
        assertThat(table
                        .listEntities(
                                new ListEntitiesOptions().setFilter("N lt 10").setTop(3))
                        .byPage()
                        .map(page -> page.getValue().size())
                        .collectList()
                        .block()
                        .stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(10);
    }

    @Test
    void operations_and_their_failures_arrive_as_signals() {
        String name = SharedServer.newTableName();
        TableAsyncClient table = service.createTable(name).block();
        Mono<Integer> result = table.submitTransaction(List.of(
                        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("p", "1")),
                        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("p", "2"))))
                .then(table.deleteEntity("p", "1"))
                .then(table.createEntity(new TableEntity("p", "2")))
                .thenReturn(204)
                .onErrorResume(
                        TableServiceException.class,
                        e -> Mono.just(e.getResponse().getStatusCode()));
        assertThat(result.block()).isEqualTo(409);
        assertThat(service.listTables().map(TableItem::getName).collectList().block())
                .contains(name);
        service.deleteTable(name).block();
        assertThat(service.listTables().map(TableItem::getName).collectList().block())
                .doesNotContain(name);
    }
}
