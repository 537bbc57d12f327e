package dev.trestle.catalogue;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Page;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The collections and properties of one service, stored as rows of a system collection. Each account has a
 * partition with a row {@code c/<folded name>} per collection, a row {@code d/<id>} per deleted collection whose
 * rows are not reclaimed yet, and a row {@code p} with the service's properties. A probe writes the row {@code w},
 * outside all accounts.
 *
 * <p>A deletion replaces {@code c/} by {@code d/} in one commit: the name is free at once, and reclaiming resumes
 * after a crash. Names are resolved from a cache. Changes made here evict entries; a TTL bounds their age where
 * other processes change rows too.
 */
public final class Catalogue {
    private static final int CACHED_NAMES_MAX = 10_000;

    /** Properties are read before authentication, so also for accounts that do not exist. */
    private static final int CACHED_ACCOUNTS_MAX = 1000;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /** How long other processes may write to a deleted collection: the TTL of their caches, plus one request. */
    private static final Duration LATE_WRITERS = Duration.ofMinutes(1);

    private static final Duration RECLAIM_RETRY = Duration.ofSeconds(10);

    private final CatalogueKeys keys;
    private final Engine engine;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final OptimisticRetry retry;
    private final Duration cacheTtl;
    private final Optional<ContentStore> contents;
    private final CatalogueScanner scanner;
    private final CollectionReferences references = new CollectionReferences();

    /** The accounts with a scheduled retry of reclaiming. */
    private final Set<String> scheduled = ConcurrentHashMap.newKeySet();

    /** Keyed by account and folded name. */
    private final CatalogueCache<CatalogueEntry> collections;

    /** Keyed by account. */
    private final CatalogueCache<ServiceProperties> properties;

    /** Creates the catalogue of the only process that uses the engine. */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random) {
        this(service, engine, clock, random, FOREVER);
    }

    /**
     * Creates a catalogue of an engine that other processes use too.
     *
     * @param cacheTtl the maximum age of cache entries
     */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random, Duration cacheTtl) {
        this(service, engine, clock, random, new OptimisticRetry(random), cacheTtl);
    }

    Catalogue(
            Service service,
            Engine engine,
            InstantSource clock,
            RandomGenerator random,
            OptimisticRetry retry,
            Duration cacheTtl) {
        this(new CatalogueKeys(service), engine, clock, random, retry, cacheTtl, Optional.empty());
    }

    private Catalogue(
            CatalogueKeys keys,
            Engine engine,
            InstantSource clock,
            RandomGenerator random,
            OptimisticRetry retry,
            Duration cacheTtl,
            Optional<ContentStore> contents) {
        this.keys = keys;
        this.engine = engine;
        this.clock = clock;
        this.random = random;
        this.retry = retry;
        this.cacheTtl = cacheTtl;
        this.contents = contents;
        this.scanner = new CatalogueScanner(engine, keys);
        this.collections = new CatalogueCache<>(CACHED_NAMES_MAX, cacheTtl, System::nanoTime);
        this.properties = new CatalogueCache<>(CACHED_ACCOUNTS_MAX, cacheTtl, System::nanoTime);
    }

    /** Returns a catalogue like this one for collections that also have contents in a store. */
    public Catalogue with(ContentStore store) {
        return new Catalogue(keys, engine, clock, random, retry, cacheTtl, Optional.of(store));
    }

    /** Finds a collection by its name, ignoring case. */
    public CompletionStage<Optional<CatalogueEntry>> find(String account, String name) {
        String key = cacheKey(account, name);
        Optional<CatalogueEntry> cached = collections.find(key);
        if (cached.isPresent()) {
            return CompletableFuture.completedFuture(cached);
        }
        CatalogueCache.Snapshot before = collections.snapshot();
        return engine.read(keys.collection(account, name)).thenApply(row -> {
            Optional<CatalogueEntry> found = row.map(CatalogueRowCodec::decodeCollection);
            found.ifPresentOrElse(collection -> collections.put(key, collection, before), () -> collections.evict(key));
            return found;
        });
    }

    /**
     * Runs work that may commit to the collection of this name. Every commit must run in such work: if the
     * collection is dropped, its id is released only after all work on it has completed, and commits are refused
     * until then.
     *
     * @param work receives the collection, or empty if there is none; its stage completes after its last commit
     */
    public <T> CompletionStage<T> use(
            String account, String name, Function<Optional<CatalogueEntry>, CompletionStage<T>> work) {
        return retry.run("Looking up a name", () -> useOnce(account, name, work))
                .thenApply(Used::result);
    }

    /** The result of work; null for {@code Void}. */
    private record Used<T>(T result) {}

    /** Returns empty if the name was deleted and created again since it was looked up. */
    private <T> CompletionStage<Optional<Used<T>>> useOnce(
            String account, String name, Function<Optional<CatalogueEntry>, CompletionStage<T>> work) {
        return find(account, name).thenCompose(found -> {
            if (found.isEmpty()) {
                return work.apply(found).thenApply(result -> Optional.of(new Used<>(result)));
            }
            return use(
                    account,
                    name,
                    found.get().id(),
                    current -> current
                            ? work.apply(found).thenApply(result -> Optional.of(new Used<>(result)))
                            : CompletableFuture.completedFuture(Optional.empty()));
        });
    }

    /**
     * Like {@link #use(String, String, Function)}, for a collection that was looked up before.
     *
     * @param work receives whether the collection of this name still has this id
     */
    public <T> CompletionStage<T> use(
            String account, String name, long id, Function<Boolean, CompletionStage<T>> work) {
        references.enter(id);
        // Looked up after entering: a deletion that is not seen here waits for this operation before it releases
        // the id.
        return find(account, name)
                .thenCompose(found -> work.apply(
                        found.filter(collection -> collection.id() == id).isPresent()))
                .whenComplete((done, failure) -> references.leave(id));
    }

    /** The number of collections that operations in flight use. */
    int collectionsInUse() {
        return references.size();
    }

    /** Creates a collection. Returns empty if the name exists. */
    public CompletionStage<Optional<CatalogueEntry>> create(String account, String name, Map<String, String> metadata) {
        return create(account, name, metadata, Map.of());
    }

    /** Creates a collection. Returns empty if the name exists. */
    public CompletionStage<Optional<CatalogueEntry>> create(
            String account, String name, Map<String, String> metadata, Map<String, String> attributes) {
        CatalogueEntry collection =
                new CatalogueEntry(name, newId(), Ticks.of(clock.instant()), List.of(), metadata, attributes);
        Write write = new Write.Put(
                keys.collection(account, name), CatalogueRowCodec.encode(collection), Precondition.ABSENT);
        return change(account, name, List.of(write))
                .thenApply(result ->
                        result instanceof CommitResult.Committed ? Optional.of(collection) : Optional.empty());
    }

    private long newId() {
        long id = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            id = id << 8 | random.nextInt(1, 256);
        }
        return id == CatalogueKeys.SYSTEM_COLLECTION ? newId() : id;
    }

    /** Deletes a collection; false if there is none. The name is free on completion; rows are reclaimed later. */
    public CompletionStage<Boolean> delete(String account, String name) {
        return delete(account, name, id -> CompletableFuture.completedFuture(null));
    }

    /**
     * Like {@link #delete(String, String)}, with a callback.
     *
     * @param closing receives the id after the deletion, before the stage completes and rows are reclaimed
     */
    public CompletionStage<Boolean> delete(String account, String name, LongFunction<CompletionStage<Void>> closing) {
        return replace(account, name, old -> Optional.empty(), closing);
    }

    /**
     * Like {@link #delete(String, String)}, with a condition.
     *
     * @param check throws if the collection must not be deleted; may run more than once
     */
    public CompletionStage<Boolean> deleteIf(String account, String name, Consumer<CatalogueEntry> check) {
        return replace(
                account,
                name,
                old -> {
                    check.accept(old);
                    return Optional.empty();
                },
                id -> CompletableFuture.completedFuture(null));
    }

    /**
     * Removes all rows of a collection by giving it a new id.
     *
     * @param closing as for {@link #delete(String, String, LongFunction)}
     */
    public CompletionStage<Boolean> empty(String account, String name, LongFunction<CompletionStage<Void>> closing) {
        return replace(account, name, old -> Optional.of(old.withId(newId())), closing);
    }

    /** Replaces the entry by its successor, if any, and reclaims the rows of the old id. */
    private CompletionStage<Boolean> replace(
            String account,
            String name,
            Function<CatalogueEntry, Optional<CatalogueEntry>> successor,
            LongFunction<CompletionStage<Void>> closing) {
        return retry.run("Deleting or clearing a collection", () -> replaceOnce(account, name, successor, closing));
    }

    private CompletionStage<Optional<Boolean>> replaceOnce(
            String account,
            String name,
            Function<CatalogueEntry, Optional<CatalogueEntry>> successor,
            LongFunction<CompletionStage<Void>> closing) {
        Key key = keys.collection(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(false));
            }
            CatalogueEntry old = CatalogueRowCodec.decodeCollection(row.get());
            Precondition unchanged = Precondition.versionEquals(Rows.version(row.get()));
            CatalogueEntry dropped = new CatalogueEntry(name, old.id(), 0, List.of(), Map.of(), Map.of());
            List<Write> writes = List.of(
                    successor
                            .apply(old)
                            .<Write>map(next -> new Write.Put(key, CatalogueRowCodec.encode(next), unchanged))
                            .orElseGet(() -> new Write.Delete(key, unchanged)),
                    new Write.Put(
                            keys.dropped(account, old.id()), CatalogueRowCodec.encode(dropped), Precondition.NONE));
            return change(account, name, writes).thenCompose(result -> {
                if (result instanceof CommitResult.Refused) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }
                return closing.apply(old.id()).thenApply(closed -> {
                    // The engine must refuse writers in other processes until their cache entries have expired.
                    if (engine.isShared()) {
                        Timer.after(LATE_WRITERS).thenRun(() -> reclaim(account, old.id()));
                    } else {
                        reclaim(account, old.id());
                    }
                    return Optional.of(true);
                });
            });
        });
    }

    private CompletionStage<?> reclaim(String account, long id) {
        return engine.drop(id)
                .thenCompose(done ->
                        contents.map(store -> store.drop(id)).orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenCompose(done -> engine.commit(new Commit(
                        CatalogueKeys.SYSTEM_COLLECTION,
                        keys.partition(account),
                        List.of(new Write.Delete(keys.dropped(account, id), Precondition.NONE)))))
                .whenComplete((done, failure) -> {
                    // Also after a failure: the d/ row stays for the next attempt, and no name leads to the id.
                    references.free(id).thenRun(() -> release(id));
                    if (failure != null && isTransient(StageFailures.cause(failure))) {
                        scheduleReclaiming(account);
                    }
                });
    }

    private void release(long id) {
        engine.release(id);
        contents.ifPresent(store -> store.release(id));
    }

    private static boolean isTransient(Throwable failure) {
        return failure instanceof EngineException error
                && (error.kind() == EngineException.Kind.OVERLOADED || error.kind() == EngineException.Kind.FULL);
    }

    /** Schedules another attempt to reclaim the deleted collections of an account, unless one is scheduled. */
    private void scheduleReclaiming(String account) {
        if (scheduled.add(account)) {
            Timer.after(RECLAIM_RETRY).thenRun(() -> {
                scheduled.remove(account);
                resumeReclaiming(account);
            });
        }
    }

    /** Reclaims deleted collections whose reclaiming was interrupted or has failed. Completes at the end. */
    public CompletionStage<Void> resumeReclaiming(String account) {
        return scanner.dropped(account).thenCompose(page -> {
            CompletableFuture<Void> all = CompletableFuture.allOf(CatalogueScanner.decode(page).stream()
                    .map(collection -> reclaim(account, collection.id()).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new));
            return page.resume().isPresent() ? all.thenCompose(done -> resumeReclaiming(account)) : all;
        });
    }

    /** Replaces the stored access policies; false if there is no such collection. */
    public CompletionStage<Boolean> setPolicies(String account, String name, List<AccessPolicy> policies) {
        return update(account, name, old -> old.withPolicies(policies));
    }

    /** Replaces the metadata; false if there is no such collection. */
    public CompletionStage<Boolean> setMetadata(String account, String name, Map<String, String> metadata) {
        return update(account, name, old -> old.withMetadata(metadata));
    }

    /**
     * Changes the collection; false when there is none of this name.
     *
     * @param changed what becomes of it; what it throws is what the stage fails with. May be asked again
     */
    public CompletionStage<Boolean> update(String account, String name, UnaryOperator<CatalogueEntry> changed) {
        return retry.run("Changing a collection", () -> updateOnce(account, name, changed));
    }

    private CompletionStage<Optional<Boolean>> updateOnce(
            String account, String name, UnaryOperator<CatalogueEntry> changed) {
        Key key = keys.collection(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(false));
            }
            CatalogueEntry old = CatalogueRowCodec.decodeCollection(row.get());
            Write write = new Write.Put(
                    key,
                    CatalogueRowCodec.encode(changed.apply(old)),
                    Precondition.versionEquals(Rows.version(row.get())));
            return change(account, name, List.of(write))
                    .thenApply(
                            result -> result instanceof CommitResult.Committed ? Optional.of(true) : Optional.empty());
        });
    }

    /** Evicts the cached entry. */
    public void evict(String account, String name) {
        collections.evict(cacheKey(account, name));
    }

    /**
     * Lists collections in the order of their folded names.
     *
     * @param filter compares {@code nameProperty} only, ignoring case
     * @param from the folded name to start at
     */
    public CompletionStage<Page<CatalogueEntry, String>> list(
            String account, Filter filter, String nameProperty, int rowsMax, String from) {
        return scanner.list(account, filter, nameProperty, rowsMax, from);
    }

    /**
     * Lists collections in the order of their folded names.
     *
     * @param prefix of the names
     * @param from the folded name to start at
     */
    public CompletionStage<Page<CatalogueEntry, String>> list(String account, String prefix, int rowsMax, String from) {
        return scanner.list(account, prefix, rowsMax, from);
    }

    /** Returns the properties of the service. */
    public CompletionStage<ServiceProperties> properties(String account) {
        Optional<ServiceProperties> cached = properties.find(account);
        if (cached.isPresent()) {
            return CompletableFuture.completedFuture(cached.get());
        }
        CatalogueCache.Snapshot before = properties.snapshot();
        return translateFailures(engine.read(keys.properties(account)).thenApply(row -> {
            ServiceProperties found =
                    row.map(CatalogueRowCodec::decodeProperties).orElse(ServiceProperties.DEFAULT);
            properties.put(account, found, before);
            return found;
        }));
    }

    public CompletionStage<Void> setProperties(String account, ServiceProperties value) {
        Write write = new Write.Put(keys.properties(account), CatalogueRowCodec.encode(value), Precondition.NONE);
        return translateFailures(
                engine.commit(new Commit(CatalogueKeys.SYSTEM_COLLECTION, keys.partition(account), List.of(write)))
                        .whenComplete((result, failure) -> properties.changed(account))
                        .thenApply(result -> null));
    }

    /** Returns the accounts that have rows in this catalogue. */
    public CompletionStage<List<String>> accounts() {
        return scanner.accounts();
    }

    /** Returns {@code account/name} of all collections of the engine by their ids. */
    public static CompletionStage<Map<Long, String>> names(Engine engine) {
        return CatalogueScanner.names(engine);
    }

    /** Writes a row that is never read. Fails if the engine cannot commit. */
    public CompletionStage<Void> probe() {
        Write write = new Write.Put(keys.probe(), new RowBuilder().build(), Precondition.NONE);
        return engine.commit(new Commit(CatalogueKeys.SYSTEM_COLLECTION, keys.partition(""), List.of(write)))
                .thenAccept(result -> {
                    if (result instanceof CommitResult.Refused refused) {
                        throw new IllegalStateException("a write without conditions was refused: " + refused);
                    }
                });
    }

    private CompletionStage<CommitResult> change(String account, String name, List<Write> writes) {
        // Also after a failure: the commit may have been applied.
        return engine.commit(new Commit(CatalogueKeys.SYSTEM_COLLECTION, keys.partition(account), writes))
                .whenComplete((result, failure) -> collections.changed(cacheKey(account, name)));
    }

    private static String cacheKey(String account, String name) {
        return account + "/" + CatalogueKeys.folded(name);
    }
}
