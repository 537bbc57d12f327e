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
 * What the guide does about the prepend/append anti-pattern: entities that would all be written to the latest partition are
 * spread over several, by a bucket in the partition key as {@code @PartitionKey("{day:yyyyMMdd}_{employee:bucket16}")} makes it,
 * and read back in one order.
 *
 * <pre>{@code
 * SpreadKeys<Access> hour = SpreadKeys.of(accesses, 4, bucket -> "2014082212_" + bucket);
 * }</pre>
 *
 * <p>Promise: reading gives every entity of the partitions once, in the order of row keys over all of them, as if they were one
 * partition; pages are asked for as they are needed. It is no snapshot: what is written meanwhile may be met or not.
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

    /** The partitions of so many buckets, each with the partition key that is made of its number. */
    public static <T> SpreadKeys<T> of(EntityTable<T> table, int buckets, IntFunction<String> partition) {
        return new SpreadKeys<>(table, partition, buckets);
    }

    /** All entities of all buckets that fulfil a filter, in the order of their row keys. */
    public Stream<Stored<T>> where(Filter filter) {
        return where(filter, 1000);
    }

    /** The same, asking each bucket for so many at a time; few if few are read. */
    public Stream<Stored<T>> where(Filter filter, int pageSize) {
        List<Iterator<Stored<T>>> sources = IntStream.range(0, buckets)
                .mapToObj(partition)
                .map(key -> table.where(Filters.partitionKey().eq(key))
                        .where(filter)
                        .pageSize(pageSize))
                .map(query -> query.stored().iterator())
                .toList();
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(new Merged<>(sources), Spliterator.ORDERED | Spliterator.NONNULL),
                false);
    }

    /** All entities of all buckets, in the order of their row keys. */
    public Stream<Stored<T>> stream() {
        return where(Filters.everything());
    }

    /** The smallest of the heads of several ordered sources, again and again. */
    private static final class Merged<T> implements Iterator<Stored<T>> {
        private record Head<T>(Stored<T> entity, Iterator<Stored<T>> rest) {}

        private final List<Iterator<Stored<T>>> sources;
        private @Nullable PriorityQueue<Head<T>> heads;

        Merged(List<Iterator<Stored<T>>> sources) {
            this.sources = sources;
        }

        /** Filled on first use, so that a stream that nobody reads asks for nothing. */
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
