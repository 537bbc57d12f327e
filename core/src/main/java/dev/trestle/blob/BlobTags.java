package dev.trestle.blob;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The index tags of a blob, and which rows of the index are theirs. A tag without one is not indexed: it was just given, or
 * it is that of a snapshot.
 *
 * @param values by key, in ordinal order
 * @param entries by key, the number of the tag's row in {@link TagIndex}
 */
public record BlobTags(SortedMap<String, String> values, Map<String, Long> entries) {
    public static final BlobTags NONE = of(Map.of());

    public BlobTags {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        entries = Map.copyOf(entries);
    }

    public static BlobTags of(Map<String, String> values) {
        return new BlobTags(new TreeMap<>(values), Map.of());
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public int size() {
        return values.size();
    }

    boolean has(String key, String value) {
        return value.equals(values.get(key));
    }

    /** These tags in the place of others: a tag that both have keeps its row in the index. */
    BlobTags replacing(BlobTags old) {
        Map<String, Long> kept = new HashMap<>(old.entries);
        kept.keySet().removeIf(key -> !values.containsKey(key) || !old.has(key, values.get(key)));
        return new BlobTags(values, kept);
    }

    /** Whether the row of the index with this number is that of a tag. */
    boolean owns(String key, String value, long number) {
        Long its = entries.get(key);
        return its != null && its == number && has(key, value);
    }

    /** The tags that have no row in the index. */
    Map<String, String> unindexed() {
        Map<String, String> without = new HashMap<>(values);
        without.keySet().removeAll(entries.keySet());
        return without;
    }

    /** These tags, where all that have no row in the index yet get one with this number. */
    BlobTags indexed(long number) {
        Map<String, Long> all = new HashMap<>(entries);
        unindexed().keySet().forEach(key -> all.put(key, number));
        return new BlobTags(values, all);
    }

    /** These tags without those that stay. */
    BlobTags without(BlobTags staying) {
        TreeMap<String, String> going = new TreeMap<>(values);
        going.entrySet().removeIf(tag -> staying.has(tag.getKey(), tag.getValue()));
        Map<String, Long> theirs = new HashMap<>(entries);
        theirs.keySet().retainAll(going.keySet());
        return new BlobTags(going, theirs);
    }
}
