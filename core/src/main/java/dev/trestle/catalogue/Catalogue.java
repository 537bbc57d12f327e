package dev.trestle.catalogue;

import static dev.trestle.catalogue.EngineErrors.answered;

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
 * The collections and properties of one service, kept as rows of a system collection: one partition for each account,
 * in it {@code c/<folded name>} for a collection, {@code d/<id>} for a deleted one whose rows are still to be
 * reclaimed, and {@code p} for the service's properties. Beside the accounts there is one row, {@code w}, that is written
 * to learn whether that can be done.
 *
 * <p>Deleting replaces the first kind by the second in one commit, so the name is free at once and a crash never
 * forgets what is left to reclaim. Names resolve from memory: entries are dropped by every change made here, and after a
 * while where other processes change them too.
 */
public final class Catalogue {
    private static final int CACHED_NAMES_MAX = 10_000;

    /** Properties are asked for before credentials are checked, hence also for accounts that do not exist. */
    private static final int CACHED_ACCOUNTS_MAX = 1000;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /** How long others may go by an id that is not in use any more: as long as they trust it, and then a request. */
    private static final Duration LATE_WRITERS = Duration.ofMinutes(1);

    private static final Duration RECLAIM_RETRY = Duration.ofSeconds(10);

    private final CatalogueKeys keys;
    private final Engine engine;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Duration trusted;
    private final Optional<ContentStore> contents;
    private final Listing listing;
    private final CollectionReferences uses = new CollectionReferences();

    /** Accounts whose reclaiming will be repeated soon. */
    private final Set<String> retrying = ConcurrentHashMap.newKeySet();

    /** By account and folded name. */
    private final CatalogueCache<CatalogueEntry> collections;

    /** By account. */
    private final CatalogueCache<ServiceProperties> properties;

    /** For the only process that works on the engine. */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random) {
        this(service, engine, clock, random, FOREVER);
    }

    /** @param trusted how long to go by what was read, where others may change it */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random, Duration trusted) {
        this(new CatalogueKeys(service), engine, clock, random, trusted, Optional.empty());
    }

    private Catalogue(
            CatalogueKeys keys,
            Engine engine,
            InstantSource clock,
            RandomGenerator random,
            Duration trusted,
            Optional<ContentStore> contents) {
        this.keys = keys;
        this.engine = engine;
        this.clock = clock;
        this.random = random;
        this.trusted = trusted;
        this.contents = contents;
        this.listing = new Listing(engine, keys);
        this.collections = new CatalogueCache<>(CACHED_NAMES_MAX, trusted);
        this.properties = new CatalogueCache<>(CACHED_ACCOUNTS_MAX, trusted);
    }

    /** A catalogue like this one of collections whose contents lie in a store too. */
    public Catalogue with(ContentStore store) {
        return new Catalogue(keys, engine, clock, random, trusted, Optional.of(store));
    }

    /** The collection of this name in any case, or empty. */
    public CompletionStage<Optional<CatalogueEntry>> find(String account, String name) {
        String known = cacheKey(account, name);
        Optional<CatalogueEntry> remembered = collections.find(known);
        if (remembered.isPresent()) {
            return CompletableFuture.completedFuture(remembered);
        }
        CatalogueCache.Before before = collections.before();
        return engine.read(keys.collection(account, name)).thenApply(row -> {
            Optional<CatalogueEntry> found = row.map(CatalogueRowCodec::decodeCollection);
            found.ifPresentOrElse(
                    collection -> collections.keep(known, collection, before), () -> collections.forget(known));
            return found;
        });
    }

    /**
     * Runs work that may commit to the collection of this name. If the collection is dropped before the stage completes,
     * its commits are refused; so everything that commits has to run in here, or an id could be used after
     * {@link Engine#release}.
     */
    public <T> CompletionStage<T> use(
            String account, String name, Function<Optional<CatalogueEntry>, CompletionStage<T>> work) {
        return find(account, name).thenCompose(found -> {
            if (found.isEmpty()) {
                return work.apply(found);
            }
            return use(account, name, found.get().id(), now -> now ? work.apply(found) : use(account, name, work));
        });
    }

    /**
     * Runs work as {@link #use(String, String, Function)} does.
     *
     * @param work told whether the collection of this name still has this id
     */
    public <T> CompletionStage<T> use(
            String account, String name, long id, Function<Boolean, CompletionStage<T>> work) {
        uses.enter(id);
        // Looked up after entering: a deletion that this does not see waits for the operation before it releases the
        // id.
        return find(account, name)
                .thenCompose(found -> work.apply(
                        found.filter(collection -> collection.id() == id).isPresent()))
                .whenComplete((done, failure) -> uses.leave(id));
    }

    /** Collections that operations in flight refer to. */
    int collectionsInUse() {
        return uses.size();
    }

    /** Makes a collection; empty when one of this name exists. */
    public CompletionStage<Optional<CatalogueEntry>> create(String account, String name, Map<String, String> metadata) {
        return create(account, name, metadata, Map.of());
    }

    /** Makes a collection; empty when one of this name exists. */
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

    /** Deletes the collection: its name is free when the stage completes, its rows are reclaimed afterwards. */
    public CompletionStage<Boolean> delete(String account, String name) {
        return delete(account, name, id -> CompletableFuture.completedFuture(null));
    }

    /**
     * Deletes the collection as {@link #delete(String, String)} does.
     *
     * @param closing told of the id that nobody finds any more, before the stage completes and rows are reclaimed
     */
    public CompletionStage<Boolean> delete(String account, String name, LongFunction<CompletionStage<Void>> closing) {
        return letGo(account, name, old -> Optional.empty(), closing);
    }

    /**
     * Deletes the collection as {@link #delete(String, String)} does.
     *
     * @param check throws when the collection, as it is, must not be deleted
     */
    public CompletionStage<Boolean> deleteIf(String account, String name, Consumer<CatalogueEntry> check) {
        return letGo(
                account,
                name,
                old -> {
                    check.accept(old);
                    return Optional.empty();
                },
                id -> CompletableFuture.completedFuture(null));
    }

    /**
     * Lets go of all rows of the collection, which has another id from then on.
     *
     * @param closing as for {@link #delete(String, String, LongFunction)}
     */
    public CompletionStage<Boolean> empty(String account, String name, LongFunction<CompletionStage<Void>> closing) {
        return letGo(account, name, old -> Optional.of(old.withId(newId())), closing);
    }

    /** Puts what is given in the collection's place, and reclaims its rows. */
    private CompletionStage<Boolean> letGo(
            String account,
            String name,
            Function<CatalogueEntry, Optional<CatalogueEntry>> successor,
            LongFunction<CompletionStage<Void>> closing) {
        Key key = keys.collection(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(false);
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
                    // Somebody changed or deleted it in between: look again.
                    return letGo(account, name, successor, closing);
                }
                return closing.apply(old.id()).thenApply(closed -> {
                    // Where others go by the old id for a while, what keeps them from writing has to outlast that.
                    if (engine.isShared()) {
                        Timer.after(LATE_WRITERS).thenRun(() -> reclaim(account, old.id()));
                    } else {
                        reclaim(account, old.id());
                    }
                    return true;
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
                    // Also after a failure: the row that says what is left to reclaim stays, and nobody finds the id.
                    uses.free(id).thenRun(() -> release(id));
                    if (failure != null && isPassing(StageFailures.cause(failure))) {
                        retry(account);
                    }
                });
    }

    private void release(long id) {
        engine.release(id);
        contents.ifPresent(store -> store.release(id));
    }

    private static boolean isPassing(Throwable failure) {
        return failure instanceof EngineException trouble
                && (trouble.kind() == EngineException.Kind.OVERLOADED || trouble.kind() == EngineException.Kind.FULL);
    }

    /** Repeats the reclaiming of all that an account has dropped; however many failed, once. */
    private void retry(String account) {
        if (retrying.add(account)) {
            Timer.after(RECLAIM_RETRY).thenRun(() -> {
                retrying.remove(account);
                resumeReclaiming(account);
            });
        }
    }

    /** Resumes the reclaiming that was interrupted or has failed, and completes when it is done. */
    public CompletionStage<Void> resumeReclaiming(String account) {
        return listing.dropped(account).thenCompose(page -> {
            CompletableFuture<Void> all = CompletableFuture.allOf(Listing.decode(page).stream()
                    .map(collection -> reclaim(account, collection.id()).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new));
            return page.resume().isPresent() ? all.thenCompose(done -> resumeReclaiming(account)) : all;
        });
    }

    /** Replaces the stored access policies; false when there is no such collection. */
    public CompletionStage<Boolean> setPolicies(String account, String name, List<AccessPolicy> policies) {
        return update(account, name, old -> old.withPolicies(policies));
    }

    /** Replaces the metadata; false when there is no such collection. */
    public CompletionStage<Boolean> setMetadata(String account, String name, Map<String, String> metadata) {
        return update(account, name, old -> old.withMetadata(metadata));
    }

    /**
     * Changes the collection; false when there is none of this name.
     *
     * @param changed what becomes of it; what it throws is what the stage fails with. May be asked again
     */
    public CompletionStage<Boolean> update(String account, String name, UnaryOperator<CatalogueEntry> changed) {
        Key key = keys.collection(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            CatalogueEntry old = CatalogueRowCodec.decodeCollection(row.get());
            Write write = new Write.Put(
                    key,
                    CatalogueRowCodec.encode(changed.apply(old)),
                    Precondition.versionEquals(Rows.version(row.get())));
            return change(account, name, List.of(write))
                    .thenCompose(result -> result instanceof CommitResult.Committed
                            ? CompletableFuture.completedFuture(true)
                            : update(account, name, changed));
        });
    }

    /** Has the next to ask for the collection see it as it is stored. */
    public void forget(String account, String name) {
        collections.forget(cacheKey(account, name));
    }

    /**
     * One page of an account's collections.
     *
     * @param next the folded name to continue from, empty at the end
     */
    public record CollectionPage(List<CatalogueEntry> collections, Optional<String> next) {}

    /**
     * Collections in the order of their folded names.
     *
     * @param filter compares {@code nameProperty} only; names compare without case
     * @param from the folded name to start at
     */
    public CompletionStage<CollectionPage> list(
            String account, Filter filter, String nameProperty, int rowsMax, String from) {
        return listing.list(account, filter, nameProperty, rowsMax, from);
    }

    /**
     * Collections in the order of their folded names.
     *
     * @param prefix what the names begin with
     * @param from the folded name to start at
     */
    public CompletionStage<CollectionPage> list(String account, String prefix, int rowsMax, String from) {
        return listing.list(account, prefix, rowsMax, from);
    }

    /** The properties of the service, in the service's words also where they cannot be had. */
    public CompletionStage<ServiceProperties> properties(String account) {
        Optional<ServiceProperties> remembered = properties.find(account);
        if (remembered.isPresent()) {
            return CompletableFuture.completedFuture(remembered.get());
        }
        CatalogueCache.Before before = properties.before();
        return answered(engine.read(keys.properties(account)).thenApply(row -> {
            ServiceProperties found =
                    row.map(CatalogueRowCodec::decodeProperties).orElse(ServiceProperties.DEFAULT);
            properties.keep(account, found, before);
            return found;
        }));
    }

    public CompletionStage<Void> setProperties(String account, ServiceProperties value) {
        Write write = new Write.Put(keys.properties(account), CatalogueRowCodec.encode(value), Precondition.NONE);
        return answered(
                engine.commit(new Commit(CatalogueKeys.SYSTEM_COLLECTION, keys.partition(account), List.of(write)))
                        .whenComplete((result, failure) -> properties.changed(account))
                        .thenApply(result -> null));
    }

    /** The accounts that have anything here. */
    public CompletionStage<List<String>> accounts() {
        return listing.accounts();
    }

    /** The names of all collections on the engine, with their accounts, by their ids. */
    public static CompletionStage<Map<Long, String>> names(Engine engine) {
        return Listing.names(engine);
    }

    /** Writes a row that nobody reads; completes normally if the engine takes writes. */
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
        // Also after a failure, which does not say whether the commit took effect.
        return engine.commit(new Commit(CatalogueKeys.SYSTEM_COLLECTION, keys.partition(account), writes))
                .whenComplete((result, failure) -> collections.changed(cacheKey(account, name)));
    }

    private static String cacheKey(String account, String name) {
        return account + "/" + CatalogueKeys.folded(name);
    }
}
