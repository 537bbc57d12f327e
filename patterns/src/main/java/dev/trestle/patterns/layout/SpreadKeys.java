package dev.trestle.patterns.layout;

import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.Filter;
import dev.trestle.patterns.query.Filters;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A reader of bucketed partitions, the remedy for the prepend/append anti-pattern: entities that would all be written to the latest
 * partition are distributed over buckets by a partition key such as
 * {@code @PartitionKey("{day:yyyyMMdd}_{employee:bucket16}")}, and are merged in row key order on reading.
 *
 * <pre>{@code
 * SpreadKeys<Access> hour = SpreadKeys.of(accesses, 4, bucket -> "2014082212_" + bucket);
 * }</pre>
 *
 * <p>Promise: a read returns every entity of the partitions once, in row key order over all of them, as from one partition. Pages
 * are requested on demand. It is not a snapshot: concurrent writes may or may not be seen.
 */
public final class SpreadKeys<T> {
    private final EntityTable<T> table;
    private final IntFunction<String> partition;
    private final int buckets;

    private SpreadKeys(EntityTable<T> table, IntFunction<String> partition, int buckets) {
        this.table = table;
        this.partition = partition;
        this.buckets = buckets;
    }

    /** Returns a reader of {@code buckets} partitions, given the partition key of each bucket number. */
    public static <T> SpreadKeys<T> of(EntityTable<T> table, int buckets, IntFunction<String> partition) {
        return new SpreadKeys<>(table, partition, buckets);
    }

    /** Returns the entities of all buckets that match a filter, in row key order. */
    public Stream<Stored<T>> where(Filter filter) {
        return where(filter, 1000);
    }

    /** Like {@link #where(Filter)}, with a page size per bucket; choose a small one if few entities are read. */
    public Stream<Stored<T>> where(Filter filter, int pageSize) {
        List<Iterator<Stored<T>>> sources = IntStream.range(0, buckets)
                .mapToObj(partition)
                .map(key -> table.where(Filters.partitionKey().eq(key))
                        .where(filter)
                        .pageSize(pageSize))
                .map(query -> query.stored().iterator())
                .toList();
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(
                        new MergeIterator<>(sources), Spliterator.ORDERED | Spliterator.NONNULL),
                false);
    }

    /** Returns all entities of all buckets, in row key order. */
    public Stream<Stored<T>> stream() {
        return where(Filters.everything());
    }

    /** A k-way merge of ordered sources. */
    private static final class MergeIterator<T> implements Iterator<Stored<T>> {
        private record Head<T>(Stored<T> entity, Iterator<Stored<T>> rest) {}

        private final List<Iterator<Stored<T>>> sources;
        private @Nullable PriorityQueue<Head<T>> heads;

        MergeIterator(List<Iterator<Stored<T>>> sources) {
            this.sources = sources;
        }

        /** Filled on first use, so that an unread stream sends no request. */
        private PriorityQueue<Head<T>> heads() {
            if (heads == null) {
                Comparator<Head<T>> byRowKey =
                        Comparator.comparing(head -> head.entity().key().rowKey());
                PriorityQueue<Head<T>> filled = new PriorityQueue<>(
                        byRowKey.thenComparing(head -> head.entity().key().partitionKey()));
                heads = filled;
                sources.forEach(source -> advance(filled, source));
            }
            return heads;
        }

        private void advance(PriorityQueue<Head<T>> filled, Iterator<Stored<T>> source) {
            if (source.hasNext()) {
                filled.add(new Head<>(source.next(), source));
            }
        }

        @Override
        public boolean hasNext() {
            return !heads().isEmpty();
        }

        @Override
        public Stored<T> next() {
            Head<T> first = Objects.requireNonNull(heads().poll());
            advance(heads(), first.rest());
            return first.entity();
        }
    }
}
