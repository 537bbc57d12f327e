package dev.trestle.blob;

import dev.trestle.blob.TagExpression.Comparison;
import dev.trestle.keyspace.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The query of Find Blobs by Tags: blobs that pass all tests.
 *
 * @param container the only container to search; empty for all
 * @param tests at least one, and none with {@code <>}
 */
public record TagQuery(Optional<String> container, List<TagExpression.Test> tests) {
    public TagQuery {
        tests = List.copyOf(tests);
        if (tests.isEmpty()) {
            throw new IllegalArgumentException(
                    "A query needs at least one test, which selects the range of the index to scan");
        }
    }

    boolean matches(Map<String, String> tags) {
        return tests.stream().allMatch(test -> test.matches(tags));
    }

    /** Returns the tags whose keys are in the query. */
    SortedMap<String, String> mentioned(Map<String, String> tags) {
        SortedMap<String, String> mentioned = new TreeMap<>();
        for (TagExpression.Test test : tests) {
            String value = tags.get(test.key());
            if (value != null) {
                mentioned.put(test.key(), value);
            }
        }
        return mentioned;
    }

    /**
     * Returns the key of the index range to scan: that of a test for equality if there is one, as the smallest
     * range.
     */
    String key() {
        return tests.stream()
                .filter(test -> test.comparison() == Comparison.EQUAL)
                .findFirst()
                .orElse(tests.get(0))
                .key();
    }

    /** Returns the range of the index of a container that contains all matches. */
    KeyRange range(long collection) {
        String key = key();
        KeyRange range = TagRowCodec.ofKey(collection, key);
        for (TagExpression.Test test : tests) {
            if (test.key().equals(key)) {
                range = intersection(range, ofTest(collection, test));
            }
        }
        return range;
    }

    private static KeyRange ofTest(long collection, TagExpression.Test test) {
        KeyRange all = TagRowCodec.ofKey(collection, test.key());
        KeyRange equal = TagRowCodec.ofTag(collection, test.key(), test.value());
        return switch (test.comparison()) {
            case EQUAL -> equal;
            case LESS -> new KeyRange(all.from(), equal.from());
            case LESS_OR_EQUAL -> new KeyRange(all.from(), equal.to());
            case GREATER -> new KeyRange(equal.to(), all.to());
            case GREATER_OR_EQUAL -> new KeyRange(equal.from(), all.to());
            case NOT_EQUAL -> throw new IllegalArgumentException("A query cannot have a test with <>");
        };
    }

    private static KeyRange intersection(KeyRange one, KeyRange other) {
        KeyRange later = one.startingAt(other.from());
        return new KeyRange(later.from(), Arrays.compareUnsigned(one.to(), other.to()) < 0 ? one.to() : other.to());
    }
}
