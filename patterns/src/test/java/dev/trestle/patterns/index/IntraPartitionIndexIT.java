package dev.trestle.patterns.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Employee;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Copies in one partition, which always agree. */
@ExtendWith(WithTrestle.class)
class IntraPartitionIndexIT {
    private static final EntityType<Employee> TYPE = EntityType.of(Employee.class);
    private static final Copy<Employee, Employee> BY_EMAIL = Copy.of(TYPE.keyedBy("{department}", "email_{email}"));
    private static final Copy<Employee, Employee> BY_NAME =
            Copy.of(TYPE.keyedBy("{department}", "name_{lastName}_{id:000000}")).when(e -> e.age() < 65);
    private static final EntityKey JONES = new EntityKey("Sales", "empid_000223");

    private final TableClient client;
    private final IntraPartitionIndex<Employee> employees;

    IntraPartitionIndexIT(ServerProcess server) {
        client = WithTrestle.newTable(server);
        employees = IntraPartitionIndex.of(EntityTable.of(client, TYPE), List.of(BY_EMAIL, BY_NAME));
        employees.insert(Employee.of("Sales", 223, "Jones").withEmail("jones@contoso.com"));
    }

    private List<String> rowKeys() {
        return client.listEntities().stream().map(TableEntity::getRowKey).toList();
    }

    @Test
    void every_copy_is_found_by_its_own_key() {
        assertThat(rowKeys()).containsExactly("email_jones@contoso.com", "empid_000223", "name_Jones_000223");
        assertThat(employees.find(BY_EMAIL, new EntityKey("Sales", "email_jones@contoso.com")))
                .map(stored -> stored.value().id())
                .contains(223);
        assertThat(employees.find(JONES)).isPresent();
    }

    @Test
    void a_change_moves_copies_to_their_new_keys_and_removes_those_that_are_no_longer_wanted() {
        employees.update(JONES, e -> e.withEmail("jun@contoso.com"));
        assertThat(rowKeys()).containsExactly("email_jun@contoso.com", "empid_000223", "name_Jones_000223");
        employees.update(JONES, e -> e.withAge(70));
        assertThat(rowKeys()).containsExactly("email_jun@contoso.com", "empid_000223");
        employees.delete(JONES);
        employees.delete(JONES);
        assertThat(rowKeys()).isEmpty();
    }

    @Test
    void a_key_of_a_copy_belongs_to_one_entity() {
        assertThatThrownBy(() -> employees.insert(Employee.of("Sales", 7, "Cao").withEmail("jones@contoso.com")))
                .isInstanceOfSatisfying(
                        KeyTakenException.class,
                        e -> assertThat(e.key().rowKey()).isEqualTo("email_jones@contoso.com"));
        employees.insert(Employee.of("Sales", 7, "Cao"));
        assertThatThrownBy(() ->
                        employees.update(new EntityKey("Sales", "empid_000007"), e -> e.withEmail("jones@contoso.com")))
                .isInstanceOf(KeyTakenException.class);
        assertThat(rowKeys()).hasSize(6);
    }

    @Test
    void copies_are_alike_at_every_moment_while_many_write() {
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> IntStream.range(0, 24)
                .parallel()
                .forEach(i ->
                        employees.update(JONES, e -> e.withAge(e.age() + 1).withEmail("jones" + i + "@contoso.com"))));
        while (!writers.isDone()) {
            // One page of one partition is a snapshot.
            List<TableEntity> rows = client.listEntities().stream().toList();
            assertThat(rows).hasSize(3);
            assertThat(rows)
                    .extracting(row -> row.getProperty("Age"))
                    .containsOnly(rows.get(0).getProperty("Age"));
        }
        writers.join();
        assertThat(employees.find(JONES).orElseThrow().value().age()).isEqualTo(54);
    }
}
