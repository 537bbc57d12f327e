package dev.trestle.blob;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The index tags of a blob, with their rows in the index. A tag without a row is not indexed: it is new, or it
 * belongs to a snapshot.
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

    /** Returns these tags as the successors of others: a tag that both have keeps its row in the index. */
    BlobTags replacing(BlobTags old) {
        Map<String, Long> kept = new HashMap<>(old.entries);
        kept.keySet().removeIf(key -> !values.containsKey(key) || !old.has(key, values.get(key)));
        return new BlobTags(values, kept);
    }

    /** Returns whether an index row with this number belongs to a tag. */
    boolean owns(String key, String value, long number) {
        Long its = entries.get(key);
        return its != null && its == number && has(key, value);
    }

    /** Returns the tags without a row in the index. */
    Map<String, String> unindexed() {
        Map<String, String> without = new HashMap<>(values);
        without.keySet().removeAll(entries.keySet());
        return without;
    }

    /** Returns these tags, with this row number for all that have no row in the index. */
    BlobTags indexed(long number) {
        Map<String, Long> all = new HashMap<>(entries);
        unindexed().keySet().forEach(key -> all.put(key, number));
        return new BlobTags(values, all);
    }

    /** Returns these tags except those that the others have too. */
    BlobTags without(BlobTags staying) {
        TreeMap<String, String> going = new TreeMap<>(values);
        going.entrySet().removeIf(tag -> staying.has(tag.getKey(), tag.getValue()));
        Map<String, Long> theirs = new HashMap<>(entries);
        theirs.keySet().retainAll(going.keySet());
        return new BlobTags(going, theirs);
    }
}
