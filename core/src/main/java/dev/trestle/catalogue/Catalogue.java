package dev.trestle.catalogue;

import static dev.trestle.catalogue.EngineTrouble.answered;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.Ticks;
import dev.trestle.plan.Planner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
    /** The system collection; ids of others are random, so this one is never drawn again. */
    private static final long SYSTEM_COLLECTION = 0x0101_0101_0101_0101L;

    private static final String COLLECTION_PREFIX = "c/";
    private static final String COLLECTION_PREFIX_END = "c0";
    private static final String DROPPED_PREFIX = "d/";
    private static final String DROPPED_PREFIX_END = "d0";
    private static final String PROPERTIES_ROW = "p";

    /** In a partition that no account has, for its name would be empty. */
    private static final String PROBE_ROW = "w";

    private static final int CACHED_NAMES_MAX = 10_000;

    /** Properties are asked for before credentials are checked, hence also for accounts that do not exist. */
    private static final int CACHED_ACCOUNTS_MAX = 1000;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /** How long others may go by an id that is not in use any more: as long as they trust it, and then a request. */
    private static final Duration LATE_WRITERS = Duration.ofMinutes(1);

    private final Service service;
    private final Engine engine;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final long trustedNanos;
    private final LongFunction<CompletionStage<Void>> elsewhere;
    private final ConcurrentHashMap<String, Known<Collection>> collections = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Known<ServiceProperties>> properties = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();

    /** What was read, and when. */
    private record Known<T>(T value, long readNanos) {}

    /** For the only process that works on the engine. */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random) {
        this(service, engine, clock, random, FOREVER);
    }

    /** @param trusted how long to go by what was read, where others may change it */
    public Catalogue(Service service, Engine engine, InstantSource clock, RandomGenerator random, Duration trusted) {
        this(service, engine, clock, random, trusted, id -> CompletableFuture.completedFuture(null));
    }

    /** @param elsewhere reclaims what a deleted collection has outside of the engine */
    private Catalogue(
            Service service,
            Engine engine,
            InstantSource clock,
            RandomGenerator random,
            Duration trusted,
            LongFunction<CompletionStage<Void>> elsewhere) {
        this.trustedNanos = trusted.toNanos();
        this.elsewhere = elsewhere;
        this.service = service;
        this.engine = engine;
        this.clock = clock;
        this.random = random;
    }

    /** A catalogue like this one of collections whose contents lie in a store too. */
    public Catalogue with(ContentStore contents) {
        return new Catalogue(service, engine, clock, random, Duration.ofNanos(trustedNanos), contents::drop);
    }

    /** The collection of this name in any case, or empty. */
    public CompletionStage<Optional<Collection>> find(String account, String name) {
        String cacheKey = cacheKey(account, name);
        Known<Collection> known = collections.get(cacheKey);
        if (known != null && isTrusted(known)) {
            return CompletableFuture.completedFuture(Optional.of(known.value));
        }
        long before = changes.get();
        long now = System.nanoTime();
        return engine.read(collectionKey(account, name)).thenApply(row -> {
            Optional<Collection> found = row.map(CatalogueRows::decodeCollection);
            if (found.isPresent()) {
                remember(cacheKey, new Known<>(found.get(), now), before);
            } else {
                collections.remove(cacheKey);
            }
            return found;
        });
    }

    private boolean isTrusted(Known<?> known) {
        return System.nanoTime() - known.readNanos < trustedNanos;
    }

    /** Keeps what was read unless something changed since, for then it may be out of date. */
    private void remember(String cacheKey, Known<Collection> collection, long changesBefore) {
        if (collections.size() >= CACHED_NAMES_MAX) {
            collections.clear();
        }
        // The check and the entry are one step to whoever drops entries, so that a stale one is never there to be found
        // once its change was answered.
        collections.compute(cacheKey, (key, cached) -> changes.get() == changesBefore ? collection : cached);
    }

    /** Makes a collection; empty when one of this name exists. */
    public CompletionStage<Optional<Collection>> create(String account, String name, Map<String, String> metadata) {
        return create(account, name, metadata, Map.of());
    }

    /** Makes a collection; empty when one of this name exists. */
    public CompletionStage<Optional<Collection>> create(
            String account, String name, Map<String, String> metadata, Map<String, String> attributes) {
        Collection collection =
                new Collection(name, newId(), Ticks.of(clock.instant()), List.of(), metadata, attributes);
        Write write =
                new Write.Put(collectionKey(account, name), CatalogueRows.encode(collection), Precondition.ABSENT);
        return change(account, name, List.of(write))
                .thenApply(result ->
                        result instanceof CommitResult.Committed ? Optional.of(collection) : Optional.empty());
    }

    private long newId() {
        long id = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            id = id << 8 | random.nextInt(1, 256);
        }
        return id == SYSTEM_COLLECTION ? newId() : id;
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
    public CompletionStage<Boolean> deleteIf(String account, String name, Consumer<Collection> check) {
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
            Function<Collection, Optional<Collection>> successor,
            LongFunction<CompletionStage<Void>> closing) {
        Key key = collectionKey(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            Collection old = CatalogueRows.decodeCollection(row.get());
            Precondition unchanged = Precondition.versionEquals(Rows.version(row.get()));
            Collection dropped = new Collection(name, old.id(), 0, List.of(), Map.of(), Map.of());
            List<Write> writes = List.of(
                    successor
                            .apply(old)
                            .<Write>map(next -> new Write.Put(key, CatalogueRows.encode(next), unchanged))
                            .orElseGet(() -> new Write.Delete(key, unchanged)),
                    new Write.Put(droppedKey(account, old.id()), CatalogueRows.encode(dropped), Precondition.NONE));
            return change(account, name, writes).thenCompose(result -> {
                if (result instanceof CommitResult.Refused) {
                    // Somebody changed or deleted it in between: look again.
                    return letGo(account, name, successor, closing);
                }
                return closing.apply(old.id()).thenApply(closed -> {
                    // Where others go by the old id for a while, what keeps them from writing has to outlast that.
                    Executor when = engine.isShared()
                            ? CompletableFuture.delayedExecutor(LATE_WRITERS.toSeconds(), TimeUnit.SECONDS)
                            : Runnable::run;
                    when.execute(() -> reclaim(account, old.id()));
                    return true;
                });
            });
        });
    }

    private CompletionStage<?> reclaim(String account, long id) {
        return engine.drop(id)
                .thenCompose(done -> elsewhere.apply(id))
                .thenCompose(done -> engine.commit(new Commit(
                        SYSTEM_COLLECTION,
                        partition(account),
                        List.of(new Write.Delete(droppedKey(account, id), Precondition.NONE)))));
    }

    /** Takes up the reclaiming that a stop interrupted and completes when it is done; called once, at start. */
    public CompletionStage<Void> resumeReclaiming(String account) {
        KeyRange range = rowRange(account, DROPPED_PREFIX, DROPPED_PREFIX_END);
        return scan(List.of(range), Filter.ALL, Limits.PAGE_ROWS_MAX).thenCompose(page -> {
            CompletableFuture<?>[] reclaimed = new CompletableFuture<?>[page.size()];
            for (int i = 0; i < page.size(); i++) {
                long id = CatalogueRows.decodeCollection(page.row(i)).id();
                reclaimed[i] = reclaim(account, id).toCompletableFuture();
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(reclaimed);
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
    public CompletionStage<Boolean> update(String account, String name, UnaryOperator<Collection> changed) {
        Key key = collectionKey(account, name);
        return engine.read(key).thenCompose(row -> {
            if (row.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            Collection old = CatalogueRows.decodeCollection(row.get());
            Write write = new Write.Put(
                    key, CatalogueRows.encode(changed.apply(old)), Precondition.versionEquals(Rows.version(row.get())));
            return change(account, name, List.of(write))
                    .thenCompose(result -> result instanceof CommitResult.Committed
                            ? CompletableFuture.completedFuture(true)
                            : update(account, name, changed));
        });
    }

    /** Has the next to ask for the collection see it as it is stored. */
    public void forget(String account, String name) {
        collections.remove(cacheKey(account, name));
    }

    /**
     * One page of an account's collections.
     *
     * @param next the folded name to continue from, empty at the end
     */
    public record CollectionPage(List<Collection> collections, Optional<String> next) {}

    /**
     * Collections in the order of their folded names.
     *
     * @param filter compares {@code nameProperty} only; names compare without case
     * @param from the folded name to start at
     */
    public CompletionStage<CollectionPage> list(
            String account, Filter filter, String nameProperty, int rowsMax, String from) {
        Filter onRows = filter.accept(new NameConditions(nameProperty));
        Filter wanted = Filter.and(List.of(
                Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text(partition(account))),
                Filter.compare(Filter.ROW_KEY, Operator.GE, new EdmValue.Text(COLLECTION_PREFIX + from)),
                Filter.compare(Filter.ROW_KEY, Operator.LT, new EdmValue.Text(COLLECTION_PREFIX_END)),
                onRows));
        var plan = Planner.plan(wanted);
        return scan(plan.ranges(SYSTEM_COLLECTION), plan.residual(), rowsMax).thenApply(Catalogue::page);
    }

    /**
     * Collections in the order of their folded names.
     *
     * @param prefix what the names begin with
     * @param from the folded name to start at
     */
    public CompletionStage<CollectionPage> list(String account, String prefix, int rowsMax, String from) {
        String first = from.compareTo(prefix) < 0 ? prefix : from;
        KeyRange range = new KeyRange(
                Key.of(SYSTEM_COLLECTION, partition(account), COLLECTION_PREFIX + first)
                        .bytes(),
                Key.of(
                                SYSTEM_COLLECTION,
                                partition(account),
                                // No name has this character, hence none that begins with the prefix is greater.
                                COLLECTION_PREFIX + prefix + Character.MAX_VALUE)
                        .bytes());
        return range.isEmpty()
                ? CompletableFuture.completedFuture(new CollectionPage(List.of(), Optional.empty()))
                : scan(List.of(range), Filter.ALL, rowsMax).thenApply(Catalogue::page);
    }

    private static CollectionPage page(RowPage page) {
        List<Collection> found = new ArrayList<>(page.size());
        for (int i = 0; i < page.size(); i++) {
            found.add(CatalogueRows.decodeCollection(page.row(i)));
        }
        return new CollectionPage(found, page.resume().map(key -> key.rowKey().substring(COLLECTION_PREFIX.length())));
    }

    /** The properties of the service, in the service's words also where they cannot be had. */
    public CompletionStage<ServiceProperties> properties(String account) {
        Known<ServiceProperties> known = properties.get(account);
        if (known != null && isTrusted(known)) {
            return CompletableFuture.completedFuture(known.value);
        }
        long before = changes.get();
        long now = System.nanoTime();
        return answered(engine.read(propertiesKey(account)).thenApply(row -> {
            ServiceProperties found = row.map(CatalogueRows::decodeProperties).orElse(ServiceProperties.DEFAULT);
            if (properties.size() >= CACHED_ACCOUNTS_MAX) {
                properties.clear();
            }
            properties.compute(account, (key, cached) -> changes.get() == before ? new Known<>(found, now) : cached);
            return found;
        }));
    }

    public CompletionStage<Void> setProperties(String account, ServiceProperties value) {
        Write write = new Write.Put(propertiesKey(account), CatalogueRows.encode(value), Precondition.NONE);
        return answered(engine.commit(new Commit(SYSTEM_COLLECTION, partition(account), List.of(write)))
                .whenComplete((result, failure) -> {
                    changes.incrementAndGet();
                    properties.remove(account);
                })
                .thenApply(result -> null));
    }

    /** The accounts that have anything here. */
    public CompletionStage<List<String>> accounts() {
        return accounts(Key.collectionRange(SYSTEM_COLLECTION), new ArrayList<>());
    }

    private CompletionStage<List<String>> accounts(KeyRange rest, List<String> found) {
        return scan(List.of(rest), Filter.ALL, 1).thenCompose(page -> {
            if (page.size() == 0) {
                return CompletableFuture.completedFuture(found);
            }
            String partition = page.key(0).partitionKey();
            String suffix = partition("");
            if (partition.endsWith(suffix)) {
                found.add(partition.substring(0, partition.length() - suffix.length()));
            }
            return accounts(rest.startingAt(Key.afterPartition(SYSTEM_COLLECTION, partition)), found);
        });
    }

    /** The names of all collections on the engine, with their accounts, by their ids. */
    public static CompletionStage<Map<Long, String>> names(Engine engine) {
        return names(engine, List.of(Key.collectionRange(SYSTEM_COLLECTION)), new TreeMap<>());
    }

    private static CompletionStage<Map<Long, String>> names(
            Engine engine, List<KeyRange> rest, Map<Long, String> found) {
        Scan scan = new Scan(
                rest,
                Filter.ALL,
                List.of(),
                new Scan.Limits(Limits.PAGE_ROWS_MAX, Limits.PAGE_BYTES_MAX, Limits.PAGE_TIME_MAX));
        return engine.scan(scan).thenCompose(page -> {
            for (int i = 0; i < page.size(); i++) {
                Key key = page.key(i);
                if (key.rowKey().startsWith(COLLECTION_PREFIX)) {
                    Collection collection = CatalogueRows.decodeCollection(page.row(i));
                    String account =
                            key.partitionKey().substring(0, key.partitionKey().lastIndexOf('/'));
                    found.put(collection.id(), account + "/" + collection.name());
                }
            }
            return page.resume().isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : names(
                            engine,
                            List.of(rest.get(0).startingAt(page.resume().get().bytes())),
                            found);
        });
    }

    /** Writes a row that nobody reads; completes normally if the engine takes writes. */
    public CompletionStage<Void> probe() {
        Write write = new Write.Put(
                Key.of(SYSTEM_COLLECTION, partition(""), PROBE_ROW), new RowBuilder().build(), Precondition.NONE);
        return engine.commit(new Commit(SYSTEM_COLLECTION, partition(""), List.of(write)))
                .thenAccept(result -> {
                    if (result instanceof CommitResult.Refused refused) {
                        throw new IllegalStateException("a write without conditions was refused: " + refused);
                    }
                });
    }

    private CompletionStage<CommitResult> change(String account, String name, List<Write> writes) {
        // Also after a failure, which does not say whether the commit took effect.
        return engine.commit(new Commit(SYSTEM_COLLECTION, partition(account), writes))
                .whenComplete((result, failure) -> {
                    changes.incrementAndGet();
                    collections.remove(cacheKey(account, name));
                });
    }

    private CompletionStage<RowPage> scan(List<KeyRange> ranges, Filter filter, int rowsMax) {
        return engine.scan(new Scan(
                ranges, filter, List.of(), new Scan.Limits(rowsMax, Limits.PAGE_BYTES_MAX, Limits.PAGE_TIME_MAX)));
    }

    private KeyRange rowRange(String account, String from, String to) {
        return new KeyRange(
                Key.of(SYSTEM_COLLECTION, partition(account), from).bytes(),
                Key.of(SYSTEM_COLLECTION, partition(account), to).bytes());
    }

    private String partition(String account) {
        return account + "/" + service.word();
    }

    private Key collectionKey(String account, String name) {
        return Key.of(SYSTEM_COLLECTION, partition(account), COLLECTION_PREFIX + folded(name));
    }

    private Key droppedKey(String account, long id) {
        return Key.of(
                SYSTEM_COLLECTION,
                partition(account),
                DROPPED_PREFIX + HexFormat.of().toHexDigits(id));
    }

    private Key propertiesKey(String account) {
        return Key.of(SYSTEM_COLLECTION, partition(account), PROPERTIES_ROW);
    }

    private static String cacheKey(String account, String name) {
        return account + "/" + folded(name);
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Conditions on the name, as conditions on the rows of the catalogue. */
    private record NameConditions(String nameProperty) implements Filter.Visitor<Filter> {
        @Override
        public Filter constant(boolean value) {
            return value ? Filter.ALL : Filter.NONE;
        }

        @Override
        public Filter comparison(Filter.Comparison comparison) {
            if (!comparison.property().equals(nameProperty)) {
                return Filter.NONE;
            }
            EdmValue literal = comparison.literal() instanceof EdmValue.Text text
                    ? new EdmValue.Text(COLLECTION_PREFIX + folded(text.value()))
                    : comparison.literal();
            return Filter.compare(Filter.ROW_KEY, comparison.operator(), literal);
        }

        @Override
        public Filter and(List<Filter> parts) {
            return Filter.and(parts.stream().map(part -> part.accept(this)).toList());
        }

        @Override
        public Filter or(List<Filter> parts) {
            return Filter.or(parts.stream().map(part -> part.accept(this)).toList());
        }

        @Override
        public Filter not(Filter part) {
            return Filter.not(part.accept(this));
        }
    }
}
