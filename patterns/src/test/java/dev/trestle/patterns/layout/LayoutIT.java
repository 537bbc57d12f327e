package dev.trestle.patterns.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.storage.blob.BlobContainerClient;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Employee;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.StopAfter;
import dev.trestle.patterns.TemporaryResources;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Extra;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.layout.LargeEntity.Whole;
import dev.trestle.patterns.layout.LogBlobs.Line;
import dev.trestle.patterns.query.Filters;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The promises of the layout patterns, under concurrency and with crashes. */
@ExtendWith(WithTrestle.class)
class LayoutIT {
    private final StopAfter stop = new StopAfter();
    private final TemporaryResources resources;

    LayoutIT(ServerProcess server) {
        resources = new TemporaryResources(server.connectionString(), stop);
    }

    @AfterEach
    void clean() {
        resources.close();
    }

    @Test
    void values_of_a_series_set_and_added_by_many_are_all_kept() {
        DataSeries series = DataSeries.of(resources.table("series"), "Hour", 24);
        EntityKey key = new EntityKey("Sales", "000223");
        IntStream.range(0, 48).parallel().forEach(i -> {
            if (i % 2 == 0) {
                series.set(key, i / 2, i / 2 == 5 ? 0 : i);
            } else {
                series.add(key, 5, 0);
            }
        });
        IntStream.range(0, 10).parallel().forEach(i -> series.add(key, 5, 1));
        long[] expected =
                IntStream.range(0, 24).mapToLong(i -> i == 5 ? 10 : 2L * i).toArray();
        assertThat(series.read(key)).isEqualTo(expected);
        assertThat(Arrays.stream(series.read(new EntityKey("Sales", "nobody"))).sum())
                .isZero();
        assertThatThrownBy(() -> series.set(key, 24, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @PartitionKey("Sales")
    @RowKey("{id}")
    record Wide(String id, @Extra Map<String, Object> values) {
        static Wide of(String id, int size, int value) {
            Map<String, Object> values = new TreeMap<>();
            IntStream.range(0, size).forEach(i -> values.put(String.format("V%04d", i), value));
            return new Wide(id, values);
        }
    }

    @Test
    void a_wide_entity_is_read_as_it_was_written_while_it_grows_and_shrinks() {
        TableClient client = resources.table("wide");
        WideEntity<Wide> wide = WideEntity.of(client, EntityType.of(Wide.class));
        EntityKey key = new EntityKey("Sales", "a");
        wide.insert(Wide.of("a", 600, 0));
        wide.insert(Wide.of("a1", 300, 7));
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> IntStream.range(1, 16)
                .parallel()
                .forEach(i -> wide.compute(key, current -> Wide.of("a", i % 2 == 0 ? 100 : 700, i))));
        do {
            Map<String, Object> values = wide.find(key).orElseThrow().value().values();
            int value = (int) values.getOrDefault("V0000", -1);
            assertThat(values).hasSize(value == 0 ? 600 : value % 2 == 0 ? 100 : 700);
            assertThat(values.values()).containsOnly(value);
        } while (!writers.isDone());
        writers.join();
        wide.delete(key);
        wide.delete(key);
        assertThat(wide.find(key)).isEmpty();
        assertThat(wide.find(new EntityKey("Sales", "a1")).map(Stored::value)).contains(Wide.of("a1", 300, 7));
        assertThat(client.listEntities().stream().count()).isEqualTo(2);
    }

    @Test
    void a_wide_entity_may_be_larger_than_an_entity() {
        WideEntity<Wide> wide = WideEntity.of(resources.table("wide"), EntityType.of(Wide.class));
        Map<String, Object> values = new TreeMap<>();
        IntStream.range(0, 40).forEach(i -> values.put("Text" + i, "x".repeat(30_000)));
        wide.insert(new Wide("large", values));
        assertThat(wide.find(new EntityKey("Sales", "large"))
                        .orElseThrow()
                        .value()
                        .values())
                .isEqualTo(values);
    }

    @PartitionKey("{department}")
    @RowKey("{id:000000}")
    record Pictured(String department, int id, int turn, String photo) {
        Pictured withPhoto(String address) {
            return new Pictured(department, id, turn, address);
        }
    }

    private static final EntityKey PICTURED = new EntityKey("Sales", "000223");

    private static Instant later() {
        return Instant.now().plus(Duration.ofMinutes(1));
    }

    @Test
    void a_large_entity_stopped_anywhere_is_whole_and_its_orphans_are_collected() {
        BlobContainerClient container = resources.container("photos");
        EntityTable<Pictured> table = EntityTable.of(resources.table("employees"), Pictured.class);
        LargeEntity<Pictured> employees = LargeEntity.of(table, container, Pictured::photo, Pictured::withPhoto);
        int puts = stop.everywhere(
                () -> employees.put(new Pictured("Sales", 223, 1, ""), BinaryData.fromString("1")),
                () -> employees.put(new Pictured("Sales", 223, 2, ""), BinaryData.fromString("2")),
                () -> {
                    Whole<Pictured> whole = employees.find(PICTURED).orElseThrow();
                    assertThat(whole.content())
                            .hasToString(Integer.toString(whole.entity().value().turn()));
                    employees.collectOrphans(later());
                    assertThat(container.listBlobs().stream().toList()).hasSize(1);
                });
        assertThat(puts).isEqualTo(4);
        int deletions = stop.everywhere(
                () -> employees.put(new Pictured("Sales", 223, 1, ""), BinaryData.fromString("1")),
                () -> employees.delete(PICTURED),
                () -> {
                    employees.collectOrphans(later());
                    assertThat(container.listBlobs().stream().count())
                            .isEqualTo(employees.find(PICTURED).isPresent() ? 1 : 0);
                });
        assertThat(deletions).isEqualTo(3);
    }

    @Test
    void a_large_entity_written_by_many_is_read_as_one_of_them_wrote_it() {
        BlobContainerClient container = resources.container("photos");
        EntityTable<Pictured> table = EntityTable.of(resources.table("employees"), Pictured.class);
        LargeEntity<Pictured> employees = LargeEntity.of(table, container, Pictured::photo, Pictured::withPhoto);
        employees.put(new Pictured("Sales", 223, 0, ""), BinaryData.fromString("0"));
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> IntStream.range(1, 13)
                .parallel()
                .forEach(i ->
                        employees.put(new Pictured("Sales", 223, i, ""), BinaryData.fromString(Integer.toString(i)))));
        do {
            Whole<Pictured> whole = employees.find(PICTURED).orElseThrow();
            assertThat(whole.content())
                    .hasToString(Integer.toString(whole.entity().value().turn()));
            assertThat(employees.collectOrphans(Instant.now().minusSeconds(3600)))
                    .isZero();
        } while (!writers.isDone());
        writers.join();
        assertThat(container.listBlobs().stream().count()).isEqualTo(1);
    }

    @Test
    void dropping_periods_deletes_those_before_the_date_and_goes_on_after_a_stop() {
        PeriodTables<Employee> daily =
                PeriodTables.daily(resources.tables(), resources.named("days"), EntityType.of(Employee.class));
        resources.onClose(() -> daily.dropBefore(LocalDate.of(9999, 1, 1)));
        int requests = stop.everywhere(
                () -> IntStream.range(1, 6)
                        .parallel()
                        .forEach(
                                day -> daily.on(LocalDate.of(2014, 8, day)).upsert(Employee.of("Sales", day, "Jones"))),
                () -> daily.dropBefore(LocalDate.of(2014, 8, 4)),
                () -> {
                    daily.dropBefore(LocalDate.of(2014, 8, 4));
                    assertThat(daily.between(LocalDate.of(2014, 8, 1), LocalDate.of(2014, 8, 5)))
                            .flatExtracting(table -> table.partition("Sales").list())
                            .extracting(Employee::id)
                            .containsExactly(4, 5);
                });
        assertThat(requests).isEqualTo(4);
    }

    @Test
    void a_month_has_one_table_that_is_dropped_when_the_month_is_over() {
        String prefix = resources.named("months");
        PeriodTables<Employee> monthly =
                PeriodTables.monthly(resources.tables(), prefix, EntityType.of(Employee.class));
        resources.onClose(() -> monthly.dropBefore(LocalDate.of(9999, 1, 1)));
        monthly.on(LocalDate.of(2014, 8, 1)).upsert(Employee.of("Sales", 1, "Jones"));
        monthly.on(LocalDate.of(2014, 8, 31)).upsert(Employee.of("Sales", 2, "Jones"));
        monthly.on(LocalDate.of(2014, 9, 1)).upsert(Employee.of("Sales", 3, "Jones"));
        assertThat(monthly.dropBefore(LocalDate.of(2014, 8, 31))).isEmpty();
        assertThat(monthly.dropBefore(LocalDate.of(2014, 9, 30))).containsExactly(prefix + "201408");
        assertThat(monthly.between(LocalDate.of(2014, 8, 1), LocalDate.of(2014, 9, 1)))
                .flatExtracting(table -> table.partition("Sales").list())
                .extracting(Employee::id)
                .containsExactly(3);
    }

    @PartitionKey("{id:bucket5}")
    @RowKey("{at:ticks}_{id:000000}")
    record Event(int id, Instant at) {}

    @Test
    void spread_entities_are_read_in_one_order_and_only_as_far_as_asked() {
        EntityTable<Event> events = EntityTable.of(resources.table("events"), Event.class);
        Instant noon = Instant.parse("2014-08-22T12:00:00Z");
        IntStream.range(0, 60).parallel().forEach(i -> events.insert(new Event(i, noon.plusSeconds(i))));
        SpreadKeys<Event> spread = SpreadKeys.of(events, 5, bucket -> Integer.toString(bucket));
        assertThat(spread.stream().map(stored -> stored.value().id()))
                .containsExactlyElementsOf(IntStream.range(0, 60).boxed().toList());
        assertThat(spread.where(Filters.everything(), 3)
                        .map(stored -> stored.value().id()))
                .containsExactlyElementsOf(IntStream.range(0, 60).boxed().toList());
        stop.requests(5);
        assertThat(spread.stream().limit(3).map(stored -> stored.value().id())).containsExactly(0, 1, 2);
        stop.never();
    }

    @Test
    void log_lines_of_several_writers_are_read_in_order_and_survive_a_stop() {
        BlobContainerClient container = resources.container("logs");
        Instant two = Instant.parse("2014-07-31T14:59:00Z");
        IntStream.range(0, 4).parallel().forEach(writer -> {
            try (LogBlobs log = LogBlobs.of(container, "web", 7)) {
                IntStream.range(0, 20).forEach(i -> log.log(two.plusSeconds(4L * i + writer), writer + ";" + i));
            }
        });
        LogBlobs log = LogBlobs.of(container, "web", 100);
        List<Line> lines = log.read(two, two.plusSeconds(80));
        assertThat(lines).extracting(Line::time).isSorted();
        assertThat(lines).hasSize(80);
        assertThat(log.read(two.plusSeconds(10), two.plusSeconds(12))).hasSize(2);
        assertThat(log.read(two.plusSeconds(7200), two.plusSeconds(7300))).isEmpty();
        log.log(two.plusSeconds(100), "late");
        stop.requests(0);
        assertThatThrownBy(log::flush).isNotNull();
        stop.never();
        log.flush();
        log.flush();
        assertThat(log.read(two.plusSeconds(90), two.plusSeconds(110)))
                .extracting(Line::text)
                .containsExactly("late");
    }

    @PartitionKey("{department}")
    @RowKey("department")
    record Department(String department, int managerId, String managerName) {}

    @Test
    void a_copy_in_a_department_is_never_behind() {
        TableClient client = resources.table("staff");
        EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        Denormalization<Employee, Department> managers = Denormalization.of(
                employees,
                departments,
                e -> Optional.of(new EntityKey(e.department(), "department")),
                (d, e) -> d.managerId() == e.id() ? new Department(d.department(), e.id(), e.lastName()) : d);
        EntityKey first = employees.insert(Employee.of("Sales", 1, "Jones")).key();
        EntityKey second = employees.insert(Employee.of("Sales", 2, "Hall")).key();
        EntityKey sales =
                departments.insert(new Department("Sales", 1, "Jones")).key();
        IntStream.range(0, 12).parallel().forEach(i -> {
            int manager = 1 + i % 2;
            if (i % 3 == 0) {
                managers.refer(manager == 1 ? first : second, d -> new Department("Sales", manager, ""));
            } else {
                managers.update(manager == 1 ? first : second, e -> e.withLastName("Name" + i));
            }
        });
        Department found = departments.find(sales).orElseThrow().value();
        Employee manager = employees
                .find(found.managerId() == 1 ? first : second)
                .orElseThrow()
                .value();
        assertThat(found.managerName()).isEqualTo(manager.lastName());
    }

    @Test
    void what_is_looked_up_is_as_old_as_allowed_and_no_older() {
        EntityTable<Department> departments = EntityTable.of(resources.table("departments"), Department.class);
        departments.insert(new Department("Sales", 1, "Jones"));
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        CachedLookup<String, Department> lookup = CachedLookup.of(
                        departments.everything().allowTableScan(), Department::department, Duration.ofMinutes(5))
                .withClock(now::get);
        stop.requests(1);
        IntStream.range(0, 20)
                .parallel()
                .forEach(i -> assertThat(lookup.find("Sales")).isPresent());
        stop.never();
        departments.upsert(new Department("Sales", 2, "Hall"));
        assertThat(lookup.find("Sales").orElseThrow().managerId()).isEqualTo(1);
        now.set(Instant.EPOCH.plus(Duration.ofMinutes(5)));
        assertThat(lookup.find("Sales").orElseThrow().managerId()).isEqualTo(2);
        assertThat(lookup.find("Marketing")).isEmpty();
    }
}
