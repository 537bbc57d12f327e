package dev.trestle.patterns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionFailedException;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Staff.Department;
import dev.trestle.patterns.Staff.Employee;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

/** Writes of typed entities on a real server. */
@ExtendWith(WithTrestle.class)
class WritesIT {
    private static final Employee JONES = Employee.of("Sales", 223, "Jones");
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000223");

    private final TableClient client;
    private final EntityTable<Employee> employees;
    private final AsyncEntityTable<Employee> async;

    WritesIT(ServerProcess server) {
        client = WithTrestle.newTable(server);
        employees = EntityTable.of(client, Employee.class);
        async = AsyncEntityTable.of(WithTrestle.async(server, client), Employee.class);
    }

    @Test
    void what_is_inserted_is_found_with_its_state() {
        Stored<Employee> inserted = employees.insert(JONES);
        Stored<Employee> found = employees.find(KEY).orElseThrow();
        assertThat(found.value()).isEqualTo(JONES);
        assertThat(found.etag()).isEqualTo(inserted.etag());
        assertThat(found.timestamp()).isPresent();
        assertThat(employees.find("Sales", "nobody")).isEmpty();
        assertThat(catchThrowable(() -> employees.insert(JONES)))
                .satisfies(e -> assertThat(ConflictRetry.isConflict(e)).isTrue());
    }

    @Test
    void replacing_what_another_changed_fails_and_keeps_the_other() {
        Stored<Employee> first = employees.insert(JONES);
        Stored<Employee> second = employees.replace(first.with(JONES.withAge(31)));
        assertThat(catchThrowable(() -> employees.replace(first.with(JONES.withAge(99)))))
                .satisfies(e -> assertThat(ConflictRetry.isConflict(e)).isTrue());
        assertThat(catchThrowable(() -> employees.delete(first)))
                .satisfies(e -> assertThat(ConflictRetry.isConflict(e)).isTrue());
        assertThat(employees.find(KEY).orElseThrow())
                .extracting(Stored::value, Stored::etag)
                .containsExactly(JONES.withAge(31), second.etag());
        employees.delete(second);
        assertThat(employees.find(KEY)).isEmpty();
        employees.delete(KEY);
    }

    @Test
    void replacing_keeps_properties_that_the_class_does_not_know() {
        employees.insert(JONES);
        client.updateEntity(new TableEntity("Sales", "empid_000223").addProperty("Colour", "red"));
        Stored<Employee> found = employees.find(KEY).orElseThrow();
        employees.replace(found.with(JONES.withAge(40)));
        TableEntity raw = client.getEntity("Sales", "empid_000223");
        assertThat(raw.getProperty("Colour")).isEqualTo("red");
        assertThat(raw.getProperty("Age")).isEqualTo(40);
    }

    @Test
    void a_merge_changes_only_what_it_says() {
        Stored<Employee> stored = employees.insert(JONES);
        Delta<Employee> older = Delta.of(Employee.class).set(Employee::age, 50);
        String etag = employees.merge(stored, older);
        assertThat(employees.find(KEY).orElseThrow())
                .extracting(Stored::value, Stored::etag)
                .containsExactly(JONES.withAge(50), etag);
        assertThatThrownBy(() -> employees.merge(stored, older))
                .satisfies(e -> assertThat(ConflictRetry.isConflict(e)).isTrue());
        employees.merge(KEY, Delta.of(Employee.class).set(Employee::age, 51));
        assertThat(employees.find(KEY).orElseThrow().value().age()).isEqualTo(51);
        assertThatThrownBy(() -> employees.merge(KEY, Delta.of(Employee.class).set(Employee::id, 3)))
                .hasMessageContaining("a key cannot change");
    }

    @Test
    void an_upsert_inserts_or_replaces_or_merges() {
        client.createEntity(new TableEntity("Sales", "empid_000223").addProperty("Colour", "red"));
        employees.upsertMerge(JONES);
        assertThat(client.getEntity("Sales", "empid_000223").getProperty("Colour"))
                .isEqualTo("red");
        employees.upsert(JONES);
        assertThat(client.getEntity("Sales", "empid_000223").getProperty("Colour"))
                .isNull();
        EntityKey other = new EntityKey("Sales", "empid_000007");
        employees.upsertMerge(other, Delta.of(Employee.class).set(Employee::age, 1));
        assertThat(client.getEntity("Sales", "empid_000007").getProperties()).containsEntry("EntityType", "Employee");
        assertThat(employees.replaceUnconditionally(JONES.withAge(1)).value().age())
                .isEqualTo(1);
    }

    @Test
    void updates_of_many_writers_are_all_kept() {
        employees.insert(JONES.withAge(0));
        Flux.range(0, 4)
                .flatMap(writer -> Flux.range(0, 5).concatMap(turn -> async.update(KEY, e -> e.withAge(e.age() + 1))))
                .blockLast();
        IntStream.range(0, 8).parallel().forEach(turn -> employees.update(KEY, e -> e.withAge(e.age() + 1)));
        assertThat(employees.find(KEY).orElseThrow().value().age()).isEqualTo(28);
        assertThatThrownBy(() -> employees.update(new EntityKey("Sales", "empid_000001"), e -> e))
                .isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void many_writers_of_an_entity_that_is_not_there_insert_it_once() {
        IntStream.range(0, 8)
                .parallel()
                .forEach(turn -> employees.compute(
                        KEY, current -> current.map(e -> e.withAge(e.age() + 1)).orElse(JONES.withAge(1))));
        async.compute(KEY, current -> current.orElseThrow().withAge(100)).block();
        assertThat(employees.find(KEY).orElseThrow().value().age()).isEqualTo(100);
    }

    @Test
    void every_write_can_be_made_without_waiting() {
        async.createIfMissing().block();
        Stored<Employee> inserted = async.insert(JONES).blockOptional().orElseThrow();
        Stored<Employee> replaced =
                async.replace(inserted.with(JONES.withAge(1))).blockOptional().orElseThrow();
        assertThatThrownBy(() -> async.delete(inserted).block())
                .satisfies(e -> assertThat(ConflictRetry.isConflict(e)).isTrue());
        Delta<Employee> older = Delta.of(Employee.class).set(Employee::age, 2);
        String etag = async.merge(replaced, older).block();
        Stored<Employee> found = async.find(KEY).blockOptional().orElseThrow();
        assertThat(found).extracting(Stored::value, Stored::etag).containsExactly(JONES.withAge(2), etag);
        async.merge(KEY, Delta.of(Employee.class).set(Employee::age, 3)).block();
        async.upsertMerge(KEY, Delta.of(Employee.class).set(Employee::age, 4)).block();
        assertThat(employees.find(KEY).orElseThrow().value().age()).isEqualTo(4);
        async.upsertMerge(JONES.withAge(5)).block();
        async.upsert(JONES.withAge(6)).block();
        Stored<Employee> last =
                async.replaceUnconditionally(JONES.withAge(7)).blockOptional().orElseThrow();
        assertThat(employees.find(KEY).orElseThrow().value().age()).isEqualTo(7);
        async.delete(last).block();
        async.delete(KEY).block();
        assertThat(async.find(KEY).blockOptional()).isEmpty();
    }

    @Test
    void a_transaction_of_several_types_is_all_or_nothing() {
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        Stored<Department> sales = departments.insert(new Department("Sales", 1));
        departments.transact(List.of(
                employees.writes().insert(JONES),
                departments.writes().replace(sales.with(new Department("Sales", 2)))));
        assertThatThrownBy(() -> departments.transact(List.of(
                        employees.writes().insert(Employee.of("Sales", 1, "Hall")),
                        departments.writes().replace(sales.with(new Department("Sales", 3))))))
                .isInstanceOfSatisfying(
                        TableTransactionFailedException.class,
                        e -> assertThat(e.getFailedTransactionActionIndex()).isEqualTo(1));
        assertThat(departments.find("Sales", "department").orElseThrow().value().employeeCount())
                .isEqualTo(2);
        assertThat(employees.find("Sales", "empid_000001")).isEmpty();
    }

    @Test
    void a_transaction_can_be_made_without_waiting() {
        async.transact(List.of(async.writes().insert(JONES))).block();
        assertThat(employees.find(KEY)).isPresent();
        async.transact(List.of(async.writes().delete(KEY))).block();
        assertThat(employees.find(KEY)).isEmpty();
    }

    @Test
    void a_transaction_that_cannot_be_one_is_refused_before_it_is_sent() {
        EntityWrites<Employee> writes = employees.writes();
        assertThatThrownBy(() -> employees.transact(
                        List.of(writes.insert(JONES), writes.insert(Employee.of("Marketing", 1, "Cao")))))
                .hasMessageContaining("of one partition");
        assertThatThrownBy(() -> employees.transact(List.of(writes.insert(JONES), writes.delete(KEY))))
                .hasMessageContaining("only once");
        assertThatThrownBy(() -> employees.transact(List.of())).hasMessageContaining("1 to 100");
    }
}
