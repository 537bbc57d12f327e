package dev.trestle.patterns;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.index.Copy;
import dev.trestle.patterns.index.IndexEntitiesElsewhere;
import dev.trestle.patterns.index.IndexEntitiesInBlobs;
import dev.trestle.patterns.index.IndexEntitiesInPartition;
import dev.trestle.patterns.index.InterPartitionIndex;
import dev.trestle.patterns.index.IntraPartitionIndex;
import dev.trestle.patterns.index.KeyTakenException;
import dev.trestle.patterns.layout.CachedLookup;
import dev.trestle.patterns.layout.DataSeries;
import dev.trestle.patterns.layout.Denormalization;
import dev.trestle.patterns.layout.LargeEntity;
import dev.trestle.patterns.layout.LogBlobs;
import dev.trestle.patterns.layout.PeriodTables;
import dev.trestle.patterns.layout.SpreadKeys;
import dev.trestle.patterns.layout.WideEntity;
import dev.trestle.patterns.outbox.EventualTransaction;
import dev.trestle.patterns.outbox.FollowedTable;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.outbox.TransactionQueue;
import dev.trestle.patterns.outbox.Worker;
import dev.trestle.patterns.outbox.WorkerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Every pattern through {@link Async}, subscribed to on a thread that must not block. */
@ExtendWith(WithTrestle.class)
class AsyncPatternsIT {
    private static final Employee JONES = Employee.of("Sales", 223, "Jones");
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000223");

    private final TemporaryResources resources;
    private final Set<Class<?>> played = new HashSet<>();

    AsyncPatternsIT(ServerProcess server) {
        resources = new TemporaryResources(server.connectionString());
    }

    @AfterEach
    void clean() {
        resources.close();
    }

    private <P> Async<P> async(P pattern) {
        played.add(pattern.getClass());
        return Async.of(pattern);
    }

    /** Asserts on the result of work subscribed to on a thread where Reactor forbids blocking. */
    private static <R> ObjectAssert<R> assertThatResult(Mono<R> work) {
        return assertThatObject(work.subscribeOn(Schedulers.parallel()).block());
    }

    private EntityTable<Employee> employees(String name) {
        return EntityTable.of(resources.table(name), Employee.class);
    }

    private static String name(Stored<Employee> found) {
        return found.value().lastName();
    }

    @Test
    void every_pattern_has_a_form_for_callers_that_do_not_wait() {
        layouts();
        series();
        blobs();
        indexes();
        followers();
        transactions();

        Set<String> patterns = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(
                                "dev.trestle.patterns.index",
                                "dev.trestle.patterns.layout",
                                "dev.trestle.patterns.outbox")
                        .stream()
                        .filter(type -> type.getModifiers().contains(PUBLIC) && type.isTopLevelClass())
                        .filter(type ->
                                !type.isInterface() && !type.isRecord() && !type.isAssignableTo(Exception.class))
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
        assertThat(played).extracting(Class::getName).containsExactlyInAnyOrderElementsOf(patterns);
    }

    private void layouts() {
        EntityTable<Employee> table = employees("layouts");
        Async<WideEntity<Employee>> wide = async(WideEntity.of(resources.table("wide"), EntityType.of(Employee.class)));
        assertThatResult(wide.run(it -> it.insert(JONES)).then(wide.find(it -> it.find(KEY))))
                .returns("Jones", AsyncPatternsIT::name);

        EntityKey boss = new EntityKey("Sales", "empid_000001");
        table.insert(JONES);
        table.insert(Employee.of("Sales", 1, "?"));
        Async<Denormalization<Employee, Employee>> copies = async(Denormalization.of(
                table, table, source -> Optional.of(boss), (target, source) -> target.withLastName(source.lastName())));
        assertThatResult(copies.run(it -> it.update(KEY, e -> e.withLastName("Smith")))
                        .then(Async.of(table).find(it -> it.find(boss))))
                .returns("Smith", AsyncPatternsIT::name);

        Async<CachedLookup<Integer, Employee>> lookup =
                async(CachedLookup.of(table.partition("Sales"), Employee::id, Duration.ofHours(1)));
        assertThatResult(lookup.find(it -> it.find(223))).returns("Smith", Employee::lastName);

        Async<SpreadKeys<Employee>> spread = async(SpreadKeys.of(table, 2, bucket -> bucket == 0 ? "Sales" : "None"));
        assertThatResult(spread.stream(SpreadKeys::stream)
                        .map(AsyncPatternsIT::name)
                        .collectList())
                .isEqualTo(List.of("Smith", "Smith"));
    }

    private void series() {
        Async<DataSeries> series = async(DataSeries.of(resources.table("series"), "Hour", 24));
        Flux<Long> sums = Flux.range(0, 8).flatMap(i -> series.call(it -> it.add(KEY, 5, 1)));
        assertThatResult(sums.then(series.call(it -> it.read(KEY)))).returns(8L, values -> values[5]);

        Async<PeriodTables<Employee>> days = async(
                PeriodTables.daily(resources.tables(), resources.named("days"), EntityMapping.of(Employee.class)));
        LocalDate day = LocalDate.of(2014, 8, 22);
        assertThatResult(days.run(it -> it.on(day).insert(JONES)).then(days.call(it -> it.dropBefore(day.plusDays(1)))))
                .returns(1, List::size);
    }

    private void blobs() {
        Instant noon = Instant.parse("2014-08-22T12:00:00Z");
        Async<LogBlobs> log = async(LogBlobs.of(resources.container("logs"), "web", 10));
        assertThatResult(log.run(it -> it.log(noon, "started"))
                        .then(log.run(LogBlobs::flush))
                        .then(log.call(it -> it.read(noon, noon.plusSeconds(1)))))
                .isEqualTo(List.of(new LogBlobs.Line(noon, "started")));

        Async<LargeEntity<Employee>> large = async(
                LargeEntity.of(employees("large"), resources.container("large"), Employee::email, Employee::withEmail));
        assertThatResult(large.run(it -> it.put(JONES, BinaryData.fromString("photo")))
                        .then(large.find(it -> it.find(KEY))))
                .returns("photo", whole -> whole.content().toString());
    }

    private void indexes() {
        Copy<Employee, Employee> byName =
                Copy.of(EntityType.of(Employee.class).keyedBy("{department}", "name_{lastName}"));
        Async<IntraPartitionIndex<Employee>> intra = async(IntraPartitionIndex.of(employees("intra"), List.of(byName)));
        assertThatResult(intra.run(it -> it.insert(JONES))
                        .then(intra.find(it -> it.find(byName, new EntityKey("Sales", "name_Jones")))))
                .returns("Jones", AsyncPatternsIT::name);
        assertThatThrownBy(() -> intra.run(it -> it.insert(JONES)).block()).isInstanceOf(KeyTakenException.class);

        Async<IndexEntitiesInPartition<Employee>> lists =
                async(IndexEntitiesInPartition.of(employees("inpartition"), "name", Employee::lastName));
        assertThatResult(lists.run(it -> it.insert(JONES)).then(lists.call(it -> it.find("Sales", "Jones"))))
                .returns(1, List::size);
    }

    private void followers() {
        EntityTable<Employee> table = employees("followed");
        Copy<Employee, Employee> byName = Copy.of(EntityType.of(Employee.class).keyedBy("names", "{lastName}"));
        InterPartitionIndex<Employee, Employee> inter = InterPartitionIndex.of(resources.table("copies"), byName);
        IndexEntitiesElsewhere<Employee> elsewhere =
                IndexEntitiesElsewhere.of(table, resources.table("elsewhere"), "name", Employee::lastName);
        IndexEntitiesInBlobs<Employee> inBlobs =
                IndexEntitiesInBlobs.of(table, resources.container("lists"), "name", Employee::lastName);
        TransactionQueue<String> queue =
                TransactionQueue.of(resources.queue("outbox"), resources.queue("outbox-poison"), MessageFormat.text());
        Async<FollowedTable<Employee>> followed =
                async(FollowedTable.of(table, queue, List.of(inter, elsewhere, inBlobs)));
        assertThatResult(followed.run(it -> it.insert(JONES))
                        .then(followed.run(it -> it.settle("Sales")))
                        .thenReturn(true))
                .isEqualTo(true);
        assertThatResult(async(inter).find(it -> it.find(new EntityKey("names", "Jones"))))
                .returns("Jones", AsyncPatternsIT::name);
        assertThatResult(async(elsewhere).call(it -> it.find("Jones"))).returns(1, List::size);
        assertThatResult(async(inBlobs).call(it -> it.find("Jones"))).returns(1, List::size);
    }

    private void transactions() {
        EntityTable<Employee> current = employees("current");
        EntityTable<Employee> archive = employees("archive");
        current.insert(JONES);
        EventualTransaction<EntityKey> move = EventualTransaction.move(current, archive);
        TransactionQueue<EntityKey> queue = TransactionQueue.of(
                resources.queue("archiving"), resources.queue("archiving-poison"), MessageFormat.entityKey());
        try (Worker<EntityKey> worker = queue.worker(move, WorkerOptions.standard())) {
            assertThatResult(async(queue)
                            .run(it -> it.begin(KEY))
                            .then(async(worker).call(Worker::performOne)))
                    .isEqualTo(Worker.Outcome.DONE);
        }
        assertThatResult(async(move)
                        .run(it -> it.perform(KEY))
                        .then(Async.of(archive).find(it -> it.find(KEY))))
                .returns("Jones", AsyncPatternsIT::name);
        assertThat(current.find(KEY)).isEmpty();
    }

    @Test
    void a_pattern_itself_cannot_be_used_where_nothing_may_wait() {
        EntityTable<Employee> table = employees("waiting");
        Callable<Optional<Stored<Employee>>> waiting = () -> table.find(KEY);
        assertThatThrownBy(() -> assertThatResult(Mono.fromCallable(waiting)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("blocking");
    }
}
