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
 * What Find Blobs by Tags looks for: blobs of which all tests hold.
 *
 * @param container the only one to look in; empty for all
 * @param tests one at least, and none for a difference
 */
public record TagQuery(Optional<String> container, List<TagExpression.Test> tests) {
    public TagQuery {
        tests = List.copyOf(tests);
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("a query needs a test, or there is no range of the index to scan");
        }
    }

    boolean matches(Map<String, String> tags) {
        return tests.stream().allMatch(test -> test.matches(tags));
    }

    /** Those of the tags that the query mentions. */
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

    /** The key whose part of the index is scanned: of a test for equality, which leaves the least to look at. */
    String key() {
        return tests.stream()
                .filter(test -> test.comparison() == Comparison.EQUAL)
                .findFirst()
                .orElse(tests.get(0))
                .key();
    }

    /** The rows of the index of a container that may stand for blobs that match. */
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
            case NOT_EQUAL -> throw new IllegalArgumentException("a query has no test for a difference");
        };
    }

    private static KeyRange intersection(KeyRange one, KeyRange other) {
        KeyRange later = one.startingAt(other.from());
        return new KeyRange(later.from(), Arrays.compareUnsigned(one.to(), other.to()) < 0 ? one.to() : other.to());
    }
}
