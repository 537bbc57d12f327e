package dev.trestle.patterns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Staff.Employee;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

/** Bulk writes, which need several transactions. */
@ExtendWith(WithTrestle.class)
class BulkIT {
    private final ServerProcess server;
    private final TableClient client;
    private final EntityTable<Employee> employees;

    BulkIT(ServerProcess server) {
        this.server = server;
        client = WithTrestle.newTable(server);
        employees = EntityTable.of(client, Employee.class);
    }

    private static List<Employee> many(int count, int departments) {
        return IntStream.range(0, count)
                .mapToObj(i -> Employee.of("Department" + i % departments, i, "Name" + i))
                .toList();
    }

    private List<Write> inserts(List<Employee> staff) {
        return staff.stream().map(employees.writes()::insert).toList();
    }

    @Test
    void any_number_of_writes_is_done_in_full_transactions() {
        List<BulkProgress> reports = new ArrayList<>();
        BulkResult result =
                employees.bulk(inserts(many(2_000, 4)), BulkOptions.standard().withProgress(reports::add));
        assertThat(result).isEqualTo(new BulkResult(2_000, 20, List.of()));
        assertThat(employees.everything().allowTableScan().count()).isEqualTo(2_000);
        assertThat(reports).hasSize(20);
        assertThat(reports.get(19)).isEqualTo(new BulkProgress(2_000, 0, 20));
    }

    @Test
    void writes_are_taken_as_they_are_needed() {
        AtomicInteger taken = new AtomicInteger();
        List<Integer> takenAtEach = new ArrayList<>();
        Iterable<Write> endless = () -> IntStream.range(0, 10_000)
                .peek(i -> taken.incrementAndGet())
                .mapToObj(i -> employees.writes().upsert(Employee.of("Department" + i % 8, i, "Jones")))
                .iterator();

        BulkResult result =
                employees.bulk(endless, BulkOptions.standard().withProgress(progress -> takenAtEach.add(taken.get())));

        assertThat(result.orThrow().written()).isEqualTo(10_000);
        assertThat(takenAtEach.get(0)).isLessThan(9_000);
        assertThat(taken).hasValue(10_000);
    }

    @Test
    void what_cannot_be_written_is_left_over_exactly_and_the_rest_is_done() {
        List<Employee> staff = many(450, 3);
        Set<EntityKey> there = Set.of(4, 77, 78, 301, 449).stream()
                .map(staff::get)
                .map(employee -> employees.insert(employee).key())
                .collect(Collectors.toSet());

        BulkResult result = employees.bulk(inserts(staff), BulkOptions.standard());

        assertThat(result.written()).isEqualTo(445);
        assertThat(result.leftovers().stream().map(left -> left.write().key()))
                .containsExactlyInAnyOrderElementsOf(there);
        assertThat(result.leftovers()).allSatisfy(left -> {
            assertThat(left.mayBeWritten()).isFalse();
            assertThat(ConflictRetry.isConflict(left.reason())).isTrue();
        });
        assertThat(employees.everything().allowTableScan().count()).isEqualTo(450);
        assertThatThrownBy(result::orThrow).hasMessageContaining("5 writes failed");
    }

    @Test
    void writes_of_one_entity_happen_in_their_order() {
        Employee jones = Employee.of("Sales", 1, "Jones");
        Employee hall = Employee.of("Sales", 2, "Hall");
        List<Write> writes = IntStream.rangeClosed(1, 30)
                .boxed()
                .flatMap(age -> Stream.of(jones.withAge(0), jones.withAge(age), hall.withAge(age)))
                .map(employees.writes()::upsert)
                .toList();
        AsyncEntityTable<Employee> async = AsyncEntityTable.of(WithTrestle.async(server, client), Employee.class);
        BulkResult result = async.bulk(Flux.fromIterable(writes), BulkOptions.standard())
                .blockOptional()
                .orElseThrow();
        // Two transactions: the first write alone, because the second is to the same entity; then the other two.
        assertThat(result.orThrow()).isEqualTo(new BulkResult(90, 60, List.of()));
        assertThat(employees.find("Sales", "empid_000001").orElseThrow().value().age())
                .isEqualTo(30);
    }

    @PartitionKey("all")
    @RowKey("{id:000}")
    record Large(int id, byte[] a, byte[] b) {}

    @Test
    void large_entities_make_smaller_transactions() {
        EntityTable<Large> table = EntityTable.of(client, Large.class);
        List<Write> writes = IntStream.range(0, 60)
                .mapToObj(id -> table.writes().insert(new Large(id, new byte[60_000], new byte[60_000])))
                .toList();
        BulkResult result = table.bulk(writes, BulkOptions.standard());
        assertThat(result.orThrow().written()).isEqualTo(60);
        assertThat(result.transactions()).isBetween(3L, 4L);
    }

    @Test
    void what_nobody_answers_is_left_over_as_uncertain() {
        ServerProcess gone = WithTrestle.start("--in-memory");
        TableClient client = WithTrestle.newTable(gone);
        EntityTable<Employee> table = EntityTable.of(
                new TableClientBuilder()
                        .connectionString(gone.connectionString())
                        .tableName(client.getTableName())
                        .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))))
                        .buildClient(),
                Employee.class);
        gone.close();
        BulkResult result = table.bulk(inserts(many(250, 1)), BulkOptions.standard());
        assertThat(result.written()).isZero();
        assertThat(result.leftovers()).hasSize(250);
        assertThat(result.leftovers().stream().filter(Leftover::mayBeWritten)).hasSize(100);
    }
}
