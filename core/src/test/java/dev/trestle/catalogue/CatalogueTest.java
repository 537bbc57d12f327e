package dev.trestle.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException.Kind;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.FaultyEngine.Call;
import dev.trestle.testkit.ForwardingEngine;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final String ACCOUNT = "account";
    private static final Instant NOW = Instant.parse("2026-03-02T10:00:00.1234567Z");

    private final ManualClock clock = new ManualClock(NOW);
    private final ModelEngine model = new ModelEngine(clock);
    private final FaultyEngine engine = new FaultyEngine(model);
    private final Catalogue catalogue = catalogue(Service.TABLE, engine);

    private Catalogue catalogue(Service service, FaultyEngine on) {
        return new Catalogue(service, on, clock, new Random(7));
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertFails(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
    }

    private CatalogueEntry create(String name) {
        return await(catalogue.create(ACCOUNT, name, Map.of())).orElseThrow();
    }

    @Test
    void a_collection_is_kept_with_its_name_its_time_and_an_id_of_its_own() {
        CatalogueEntry orders = create("Orders");
        CatalogueEntry users = create("Users");
        assertThat(orders.id()).isNotEqualTo(users.id());
        assertThat(orders.created()).isEqualTo(Ticks.of(NOW));
        assertThat(await(catalogue.find(ACCOUNT, "ORDERS"))).contains(orders);
        assertThat(await(catalogue(Service.TABLE, engine).find(ACCOUNT, "orders")))
                .contains(orders);
    }

    @Test
    void accounts_are_listed_for_a_service_and_names_for_all() {
        Catalogue queues = new Catalogue(Service.QUEUE, engine, clock, new Random(8));
        CatalogueEntry orders = create("Orders");
        CatalogueEntry users = create("Users");
        CatalogueEntry others =
                await(catalogue.create("other", "Orders", Map.of())).orElseThrow();
        CatalogueEntry jobs = await(queues.create("queuer", "jobs", Map.of())).orElseThrow();
        assertThat(await(catalogue.accounts())).containsExactly(ACCOUNT, "other");
        assertThat(await(queues.accounts())).containsExactly("queuer");
        assertThat(await(Catalogue.names(engine)))
                .containsOnly(
                        Map.entry(orders.id(), "account/Orders"),
                        Map.entry(users.id(), "account/Users"),
                        Map.entry(others.id(), "other/Orders"),
                        Map.entry(jobs.id(), "queuer/jobs"));
    }

    @Test
    void services_and_accounts_do_not_see_each_other() {
        create("orders");
        assertThat(await(catalogue(Service.QUEUE, engine).find(ACCOUNT, "orders")))
                .isEmpty();
        assertThat(await(catalogue.find("other", "orders"))).isEmpty();
    }

    @Test
    void policies_are_replaced_and_kept_with_what_they_leave_open() {
        create("orders");
        List<AccessPolicy> policies = List.of(
                new AccessPolicy("full", OptionalLong.of(1), OptionalLong.of(Ticks.MAX), Optional.of("raud")),
                new AccessPolicy("blank", OptionalLong.empty(), OptionalLong.empty(), Optional.empty()),
                new AccessPolicy("\u00E9", OptionalLong.empty(), OptionalLong.of(5), Optional.empty()));
        assertThat(await(catalogue.setPolicies(ACCOUNT, "Orders", policies))).isTrue();
        CatalogueEntry found = await(catalogue.find(ACCOUNT, "orders")).orElseThrow();
        assertThat(found.policies()).isEqualTo(policies);
        assertThat(found.name()).isEqualTo("orders");
        assertThat(await(catalogue(Service.TABLE, engine).find(ACCOUNT, "orders")))
                .contains(found);
        assertThat(await(catalogue.setPolicies(ACCOUNT, "orders", List.of()))).isTrue();
        assertThat(await(catalogue.find(ACCOUNT, "orders")).orElseThrow().policies())
                .isEmpty();
        assertThat(await(catalogue.setPolicies(ACCOUNT, "missing", policies))).isFalse();
    }

    @Test
    void policies_are_set_again_when_the_collection_changed_in_between() {
        create("orders");
        List<AccessPolicy> policies =
                List.of(new AccessPolicy("a", OptionalLong.empty(), OptionalLong.empty(), Optional.of("r")));
        Runnable release = engine.delayNext(Call.COMMIT);
        CompletableFuture<Boolean> first =
                catalogue.setPolicies(ACCOUNT, "orders", policies).toCompletableFuture();
        await(catalogue.setPolicies(ACCOUNT, "orders", List.of()));
        release.run();
        assertThat(await(first)).isTrue();
        assertThat(await(catalogue.find(ACCOUNT, "orders")).orElseThrow().policies())
                .isEqualTo(policies);
    }

    @Test
    void who_loses_to_other_writers_every_time_is_told_that_the_server_is_busy() {
        create("orders");
        FaultyEngine contended = new FaultyEngine(new LosingEngine(model));
        OptimisticRetry retry = new OptimisticRetry(new Random(7), delay -> CompletableFuture.completedFuture(null))
                .withLimits(20, Duration.ofMillis(1));
        Catalogue losing = new Catalogue(Service.TABLE, contended, clock, new Random(7), retry, Duration.ofDays(1));
        assertBusy(losing.setPolicies(ACCOUNT, "orders", List.of()), "Changing a collection");
        assertThat(contended.calls(Call.COMMIT)).isEqualTo(20);
        assertBusy(losing.delete(ACCOUNT, "orders"), "Deleting or clearing a collection");
        assertThat(contended.calls(Call.COMMIT)).isEqualTo(40);
    }

    private static void assertBusy(CompletionStage<?> stage, String operation) {
        Throwable failure = stage.handle((value, thrown) -> StageFailures.cause(thrown))
                .toCompletableFuture()
                .join();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        StorageException.class, busy -> assertThat(busy.error()).isEqualTo(StorageError.SERVER_BUSY))
                .hasMessageContaining(operation);
    }

    /** Refuses every commit, as after a conflict with another writer. */
    private static final class LosingEngine extends ForwardingEngine {
        LosingEngine(Engine engine) {
            super(engine);
        }

        @Override
        public CompletionStage<CommitResult> commit(Commit commit) {
            return CompletableFuture.completedFuture(new CommitResult.Refused(0, CommitResult.Reason.VERSION_DIFFERS));
        }
    }

    @Test
    void properties_are_the_default_until_set_and_then_kept() {
        assertThat(await(catalogue.properties(ACCOUNT))).isEqualTo(ServiceProperties.DEFAULT);
        ServiceProperties properties = new ServiceProperties(
                new Logging("1.0", true, false, true, new Retention(Optional.of(5))),
                new Metrics("1.0", true, Optional.of(false), new Retention(Optional.of(365))),
                Metrics.OFF,
                List.of(
                        new CorsRule(List.of("*"), List.of("GET", "PUT"), List.of(), List.of("x-*"), 60),
                        new CorsRule(List.of("http://a", "http://b"), List.of("GET"), List.of("x"), List.of(), 0)));
        await(catalogue.setProperties(ACCOUNT, properties));
        assertThat(await(catalogue.properties(ACCOUNT))).isEqualTo(properties);
        assertThat(await(catalogue(Service.TABLE, engine).properties(ACCOUNT))).isEqualTo(properties);
        assertThat(await(catalogue.properties("other"))).isEqualTo(ServiceProperties.DEFAULT);
    }

    // What happens when the engine answers badly.

    @Test
    void a_deletion_whose_answer_was_lost_is_not_hidden_by_the_cache() {
        create("orders");
        assertThat(await(catalogue.find(ACCOUNT, "orders"))).isPresent();
        engine.loseNextAnswer(Call.COMMIT, Kind.UNAVAILABLE);
        assertFails(catalogue.delete(ACCOUNT, "orders"));
        assertThat(await(catalogue.find(ACCOUNT, "orders"))).isEmpty();
    }

    @Test
    void policies_and_properties_whose_answer_was_lost_are_not_hidden_by_the_cache() {
        create("orders");
        await(catalogue.find(ACCOUNT, "orders"));
        await(catalogue.properties(ACCOUNT));
        List<AccessPolicy> policies =
                List.of(new AccessPolicy("a", OptionalLong.empty(), OptionalLong.empty(), Optional.of("r")));
        engine.loseNextAnswer(Call.COMMIT, Kind.UNAVAILABLE);
        assertFails(catalogue.setPolicies(ACCOUNT, "orders", policies));
        assertThat(await(catalogue.find(ACCOUNT, "orders")).orElseThrow().policies())
                .isEqualTo(policies);
        ServiceProperties changed =
                ServiceProperties.DEFAULT.withLogging(new Logging("1.0", true, true, true, Retention.OFF));
        engine.loseNextAnswer(Call.COMMIT, Kind.UNAVAILABLE);
        assertFails(catalogue.setProperties(ACCOUNT, changed));
        assertThat(await(catalogue.properties(ACCOUNT))).isEqualTo(changed);
    }

    @Test
    void reclaiming_that_a_crash_interrupted_is_taken_up_at_the_next_start() {
        CatalogueEntry orders = create("orders");
        CatalogueEntry users = create("users");
        Key order = put(orders);
        Key user = put(users);
        engine.failNext(Call.DROP, Kind.UNAVAILABLE);
        assertThat(await(catalogue.delete(ACCOUNT, "orders"))).isTrue();
        model.close();

        ModelEngine reopened = model.reopen(clock);
        FaultyEngine started = new FaultyEngine(reopened);
        Catalogue again = catalogue(Service.TABLE, started);
        assertThat(await(reopened.read(order))).isPresent();
        assertThat(await(again.find(ACCOUNT, "orders"))).isEmpty();
        await(again.resumeReclaiming(ACCOUNT));
        assertThat(await(reopened.read(order))).isEmpty();
        assertThat(await(reopened.read(user))).isPresent();

        // Nothing is left to reclaim, so the engine gets no second drop.
        started.failNext(Call.DROP, Kind.UNAVAILABLE);
        await(again.resumeReclaiming(ACCOUNT));
    }

    @Test
    void deleted_collections_take_no_memory() {
        for (int i = 0; i < 10_000; i++) {
            create("orders");
            await(catalogue.use(ACCOUNT, "orders", found -> CompletableFuture.completedFuture(put(found.get()))));
            await(catalogue.delete(ACCOUNT, "orders"));
        }
        assertThat(model.collectionsDropped()).isZero();
        assertThat(catalogue.collectionsInUse()).isZero();
    }

    @Test
    void a_collection_whose_reclaiming_failed_takes_no_memory() {
        for (Kind kind : Kind.values()) {
            create("orders");
            engine.loseNextAnswer(Call.DROP, kind);
            await(catalogue.delete(ACCOUNT, "orders"));
        }
        assertThat(model.collectionsDropped()).isZero();
    }

    @Test
    void a_commit_in_flight_when_its_collection_is_deleted_is_refused_however_late_it_comes() {
        CatalogueEntry orders = create("orders");
        Runnable release = engine.delayNext(Call.COMMIT);
        CompletableFuture<CommitResult> late = catalogue
                .use(ACCOUNT, "orders", found -> engine.commit(insertion(orders)))
                .toCompletableFuture();
        await(catalogue.delete(ACCOUNT, "orders"));
        create("orders");
        assertThat(model.collectionsDropped()).as("still referred to").isEqualTo(1);
        release.run();
        assertThat(await(late)).isEqualTo(new CommitResult.Refused(0, CommitResult.Reason.COLLECTION_DROPPED));
        assertThat(model.collectionsDropped()).isZero();
        assertThat(await(model.read(key(orders)))).isEmpty();
    }

    @Test
    void an_operation_that_begins_while_its_collection_is_deleted_uses_the_old_one_or_none() {
        CatalogueEntry orders = create("orders");
        Runnable release = engine.delayNext(Call.READ);
        // The cache entry of another process would have expired by then.
        catalogue.evict(ACCOUNT, "orders");
        CompletableFuture<Optional<CatalogueEntry>> slow = catalogue
                .use(ACCOUNT, "orders", CompletableFuture::completedFuture)
                .toCompletableFuture();
        await(catalogue.delete(ACCOUNT, "orders"));
        CatalogueEntry again = create("orders");
        release.run();
        assertThat(await(slow)).contains(again).isNotEqualTo(Optional.of(orders));
        boolean current = await(catalogue.use(ACCOUNT, "orders", orders.id(), CompletableFuture::completedFuture));
        assertThat(current).isFalse();
        assertThat(catalogue.collectionsInUse()).isZero();
    }

    /**
     * Two threads commit to the collection that has the name, one deletes it; no deleted one has a row at the end.
     */
    @Test
    void no_row_survives_in_a_collection_that_was_deleted_under_its_writers() throws Exception {
        int rounds = 2000;
        List<CatalogueEntry> deleted = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<?> changes = threads.submit(() -> {
                for (int i = 0; i < rounds; i++) {
                    deleted.add(create("orders"));
                    await(catalogue.delete(ACCOUNT, "orders"));
                }
            });
            Runnable writing = () -> {
                while (!changes.isDone()) {
                    await(catalogue.use(
                            ACCOUNT,
                            "orders",
                            found -> found.isPresent()
                                    ? engine.commit(insertion(found.get()))
                                    : CompletableFuture.completedFuture(null)));
                }
            };
            List<Future<?>> writers = List.of(threads.submit(writing), threads.submit(writing));
            changes.get();
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(deleted)
                .hasSize(rounds)
                .allSatisfy(collection ->
                        assertThat(await(model.read(key(collection)))).isEmpty());
        assertThat(model.collectionsDropped()).isZero();
        assertThat(catalogue.collectionsInUse()).isZero();
    }

    private static Key key(CatalogueEntry collection) {
        return Key.of(collection.id(), "p", "r");
    }

    private static Commit insertion(CatalogueEntry collection) {
        return new Commit(
                collection.id(),
                "p",
                List.of(new Write.Put(key(collection), new RowBuilder().build(), Precondition.NONE)));
    }

    private Key put(CatalogueEntry collection) {
        await(engine.commit(insertion(collection)));
        return key(collection);
    }

    @Test
    void a_slow_look_does_not_bring_a_deleted_collection_back_into_the_cache() {
        create("orders");
        Runnable release = engine.delayNext(Call.READ);
        CompletableFuture<Optional<CatalogueEntry>> slow =
                catalogue.find(ACCOUNT, "orders").toCompletableFuture();
        await(catalogue.delete(ACCOUNT, "orders"));
        release.run();
        assertThat(await(slow)).isEmpty();
        assertThat(await(catalogue.find(ACCOUNT, "orders"))).isEmpty();
    }

    /** One thread creates and deletes. The others never find a collection that was deleted before they began. */
    @Test
    void the_cache_never_serves_a_deleted_collection() throws Exception {
        int rounds = 3000;
        List<Long> deleted = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Callable<Void> changing = () -> {
                for (int i = 0; i < rounds; i++) {
                    long id = create("orders").id();
                    assertThat(await(catalogue.find(ACCOUNT, "orders"))
                                    .orElseThrow()
                                    .id())
                            .isEqualTo(id);
                    assertThat(await(catalogue.delete(ACCOUNT, "orders"))).isTrue();
                    synchronized (deleted) {
                        deleted.add(id);
                    }
                    assertThat(await(catalogue.find(ACCOUNT, "orders"))).isEmpty();
                }
                return null;
            };
            Future<Void> changes = threads.submit(changing);
            Callable<Void> looking = () -> {
                while (!changes.isDone()) {
                    long last;
                    synchronized (deleted) {
                        last = deleted.isEmpty() ? 0 : deleted.get(deleted.size() - 1);
                    }
                    assertThat(await(catalogue.find(ACCOUNT, "ORDERS")).map(CatalogueEntry::id))
                            .isNotEqualTo(Optional.of(last));
                }
                return null;
            };
            List<Future<Void>> looks = List.of(threads.submit(looking), threads.submit(looking));
            changes.get();
            for (Future<Void> look : looks) {
                look.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(deleted).hasSize(rounds).doesNotHaveDuplicates();
    }
}
