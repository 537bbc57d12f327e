package dev.trestle.patterns.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.queue.QueueClient;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Employee;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.StopAfter;
import dev.trestle.patterns.TemporaryResources;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.outbox.FollowedTable;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.outbox.TransactionQueue;
import dev.trestle.patterns.outbox.Worker;
import dev.trestle.patterns.outbox.WorkerOptions;
import dev.trestle.patterns.query.Filters;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Eventually consistent copies and lists in other partitions and in blobs. */
@ExtendWith(WithTrestle.class)
class FollowersIT {
    private static final EntityType<Employee> TYPE = EntityType.of(Employee.class);
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000001");
    private static final WorkerOptions QUICK = WorkerOptions.standard()
            .withVisibility(Duration.ofSeconds(1))
            .withPoll(Duration.ofMillis(20))
            .withAttemptsMax(50);

    private final StopAfter stop = new StopAfter();
    private final TemporaryResources resources;
    private final TableClient client;
    private final TableClient copies;
    private final TableClient lists;
    private final QueueClient queue;
    private final InterPartitionIndex<Employee, Employee> byEmail;
    private final IndexEntitiesElsewhere<Employee> byName;
    private final IndexEntitiesInBlobs<Employee> byNameInBlobs;
    private final FollowedTable<Employee> employees;

    FollowersIT(ServerProcess server) {
        resources = new TemporaryResources(server.connectionString(), stop);
        client = resources.table("employees");
        copies = resources.table("copies");
        lists = resources.table("lists");
        BlobContainerClient container = resources.container("lists");
        queue = resources.queue("outbox");
        EntityTable<Employee> table = EntityTable.of(client, TYPE);
        byEmail = InterPartitionIndex.of(copies, Copy.of(TYPE.keyedBy("email_{department}", "{email}")));
        byName = IndexEntitiesElsewhere.of(table, lists, "lastname", Employee::lastName);
        byNameInBlobs = IndexEntitiesInBlobs.of(table, container, "lastname", Employee::lastName);
        employees = FollowedTable.of(
                table,
                TransactionQueue.of(queue, resources.queue("outbox-poison"), MessageFormat.text()),
                List.of(byEmail, byName, byNameInBlobs));
    }

    @AfterEach
    void clean() {
        resources.close();
    }

    private Map<EntityKey, Employee> stored() {
        return employees.table().partition("Sales").where(Filters.rowKey().startsWith("empid_")).stream()
                .collect(Collectors.toMap(
                        TYPE::key, e -> e, (a, b) -> a, () -> new TreeMap<>(Comparator.comparing(EntityKey::rowKey))));
    }

    /** Asserts that copies and lists contain exactly what the entities require. */
    private void assertInStep() {
        Map<EntityKey, Employee> all = stored();
        assertThat(copies.listEntities().stream().map(TableEntity::getRowKey))
                .containsExactlyElementsOf(
                        all.values().stream().map(Employee::email).sorted().toList());
        all.values()
                .forEach(e -> assertThat(byEmail.find(new EntityKey("email_Sales", e.email())))
                        .map(found -> found.value())
                        .contains(e));
        for (String name : List.of("Jones", "Hall", "Cao")) {
            List<EntityKey> expected = all.entrySet().stream()
                    .filter(e -> e.getValue().lastName().equals(name))
                    .map(Map.Entry::getKey)
                    .toList();
            assertThat(byName.keys(name)).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(byNameInBlobs.keys(name)).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(byName.find(name)).hasSameSizeAs(expected);
        }
        assertThat(lists.listEntities().stream().count())
                .isEqualTo(
                        all.values().stream().map(Employee::lastName).distinct().count());
        assertThat(client.listEntities().stream().count())
                .as("nothing left in the outbox")
                .isEqualTo(all.size());
    }

    private void work(Worker<String> worker) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (queue.getProperties().getApproximateMessagesCountLong() > 0) {
            assertThat(System.nanoTime()).isLessThan(end);
            worker.performOne();
        }
    }

    @Test
    void followers_agree_after_many_writers_and_several_workers() {
        try (Worker<String> one = employees.worker(QUICK).start(2);
                Worker<String> two = employees.worker(QUICK).start(2)) {
            IntStream.range(0, 6).parallel().forEach(id -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                EntityKey key = new EntityKey("Sales", "empid_00000" + id);
                employees.insert(Employee.of("Sales", id, "Jones"));
                for (int turn = 0; turn < 6; turn++) {
                    String name = List.of("Jones", "Hall", "Cao").get(random.nextInt(3));
                    String address = "e" + id + "-" + random.nextInt(3) + "@contoso.com";
                    employees.update(
                            key, e -> e.withLastName(name).withEmail(address).withAge(e.age() + 1));
                }
                if (id % 3 == 0) {
                    employees.delete(key);
                }
            });
            work(one);
            assertThat(two).isNotNull();
        }
        assertThat(stored()).hasSize(4);
        assertInStep();
    }

    @Test
    void an_address_that_passes_from_one_to_another_is_found_at_the_latter() {
        try (Worker<String> worker = employees.worker(QUICK)) {
            employees.insert(Employee.of("Sales", 1, "Jones").withEmail("sales@contoso.com"));
            work(worker);
            employees.update(KEY, e -> e.withEmail("jones@contoso.com"));
            employees.insert(Employee.of("Sales", 2, "Hall").withEmail("sales@contoso.com"));
            work(worker);
        }
        assertInStep();
    }

    @Test
    void a_worker_makes_as_many_requests_as_the_page_says() {
        TransactionQueue<String> own = TransactionQueue.of(queue, resources.queue("own-poison"), MessageFormat.text());
        FollowedTable<Employee> copied = FollowedTable.of(employees.table(), own, List.of(byEmail));
        try (Worker<String> worker = copied.worker(WorkerOptions.standard())) {
            copied.insert(Employee.of("Sales", 1, "Jones"));
            assertThat(requestsOf(worker)).isEqualTo(8);
            copied.update(KEY, e -> e.withEmail("jones@contoso.com"));
            assertThat(requestsOf(worker)).isEqualTo(12);
        }
    }

    private int requestsOf(Worker<String> worker) {
        int enough = 100;
        stop.requests(enough);
        assertThat(worker.performOne()).isEqualTo(Worker.Outcome.DONE);
        int made = enough - stop.left();
        stop.never();
        return made;
    }

    @Test
    void a_worker_stopped_after_any_request_is_followed_by_one_that_settles_everything() {
        int requests = stop.everywhere(
                () -> {
                    employees.table().find(KEY).ifPresent(found -> employees.delete(KEY));
                    employees.insert(Employee.of("Sales", 1, "Jones"));
                    employees.settle("Sales");
                    queue.clearMessages();
                    employees.update(KEY, e -> e.withLastName("Hall").withEmail("hall@contoso.com"));
                },
                () -> employees.settle("Sales"),
                () -> {
                    employees.settle("Sales");
                    assertInStep();
                });
        assertThat(requests).isGreaterThan(20);
    }

    @Test
    void a_writer_stopped_after_any_request_has_changed_nothing_or_is_followed() {
        int requests = stop.everywhere(
                () -> {
                    employees.table().find(KEY).ifPresent(found -> employees.delete(KEY));
                    employees.insert(Employee.of("Sales", 1, "Jones"));
                    employees.settle("Sales");
                    queue.clearMessages();
                },
                () -> employees.update(KEY, e -> e.withLastName("Hall")),
                () -> {
                    // After a crash between the transaction and the message, only the sweep finds the entry.
                    employees.sweep();
                    try (Worker<String> worker = employees.worker(QUICK)) {
                        work(worker);
                    }
                    assertInStep();
                });
        assertThat(requests).isEqualTo(3);
        assertThat(byName.find("Hall")).hasSize(1);
    }

    @Test
    void lists_in_the_partition_are_exact_at_every_moment() {
        TableClient own = resources.table("own");
        IndexEntitiesInPartition<Employee> listed =
                IndexEntitiesInPartition.of(EntityTable.of(own, TYPE), "lastname", Employee::lastName);
        IntStream.range(0, 12).parallel().forEach(id -> {
            listed.insert(Employee.of("Sales", id, "Jones"));
            EntityKey key = TYPE.key(Employee.of("Sales", id, ""));
            listed.update(
                    key, e -> e.withLastName(id % 2 == 0 ? "Jones" : "Hall").withAge(50));
            if (id < 2) {
                listed.delete(key);
            }
            // Despite concurrent writers of the same lists, each entity is in its list and in no other.
            assertThat(listed.keys("Sales", "Jones").contains(key.rowKey())).isEqualTo(id >= 2 && id % 2 == 0);
            assertThat(listed.keys("Sales", "Hall").contains(key.rowKey())).isEqualTo(id >= 2 && id % 2 == 1);
        });
        assertThat(listed.find("Sales", "Jones")).hasSize(5);
        assertThat(listed.find("Sales", "Hall")).hasSize(5);
        assertThatThrownBy(() -> listed.insert(Employee.of("Sales", 3, "Hall"))).isInstanceOf(KeyTakenException.class);
        IntStream.range(2, 12).forEach(id -> listed.delete(TYPE.key(Employee.of("Sales", id, ""))));
        assertThat(own.listEntities().stream()).isEmpty();
    }

    @Test
    void a_list_longer_than_a_property_is_kept_in_several() {
        SortedSet<String> keys = IntStream.range(0, 5000)
                .mapToObj(id -> "empid_" + (100_000 + id))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Object> properties = KeyList.properties(keys);
        assertThat(properties).hasSize(3);
        assertThat(KeyList.of(properties)).isEqualTo(keys);
    }
}
