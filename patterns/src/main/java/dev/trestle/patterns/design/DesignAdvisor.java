package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.query.AccessPath;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reviews a design by the rules of the table design guide. It knows key templates and filters, but neither the number of entities
 * nor the frequency of queries: a scan of a table that stays small is fine.
 *
 * <pre>{@code
 * DesignReview review = DesignAdvisor.review(
 *         List.of(employee),
 *         List.of(new DeclaredQuery("by name", employee, where(Employee::lastName).eq("?"))));
 * }</pre>
 */
public final class DesignAdvisor {
    private static final Set<String> KEYS = Set.of(EntityKey.PARTITION_KEY, EntityKey.ROW_KEY);

    private DesignAdvisor() {}

    /** Returns the access path and remedies of each query, and warnings about types whose partitions are hot. */
    public static DesignReview review(List<EntityMapping<?>> entities, List<DeclaredQuery> queries) {
        List<KeyWarning> warnings = entities.stream()
                .flatMap(mapping -> mapping.types().stream())
                .flatMap(type -> warnings(type).stream())
                .toList();
        return new DesignReview(queries.stream().map(DesignAdvisor::finding).toList(), warnings);
    }

    private static List<KeyWarning> warnings(EntityType<?> type) {
        if (type.partitionKeyTemplate().isConstant()) {
            return List.of(new KeyWarning(
                    type,
                    "every entity is in the partition '" + type.partitionKeyTemplate()
                            + "', which a single node serves: use a partition key that differs between entities",
                    GuidePattern.COMPOUND_KEY));
        }
        if (type.partitionsFollowTheClock()) {
            return List.of(new KeyWarning(
                    type,
                    "the partition key " + type.partitionKeyTemplate()
                            + " starts with a time, so all concurrent writers use the same partition: start it with"
                            + " a component that distributes them",
                    GuidePattern.PREPEND_APPEND));
        }
        return List.of();
    }

    private static QueryFinding finding(DeclaredQuery query) {
        AccessPath path = query.filter().accessPath(query.mapping());
        Set<String> filtered = new TreeSet<>(query.filter().properties(query.mapping()));
        boolean byRow = filtered.contains(EntityKey.ROW_KEY);
        boolean byTime = filtered.contains("Timestamp");
        filtered.removeAll(KEYS);
        return switch (path) {
            case POINT -> new QueryFinding(query, path, "Nothing is faster.", List.of());
            case RANGE -> new QueryFinding(query, path, "It reads the entities of the range.", List.of());
            case PARTITION_SCAN -> ofPartition(query, filtered, byRow);
            case TABLE_SCAN -> ofTable(query, filtered, byRow, byTime);
        };
    }

    private static QueryFinding ofPartition(DeclaredQuery query, Set<String> filtered, boolean byRow) {
        if (!filtered.isEmpty()) {
            return new QueryFinding(
                    query,
                    AccessPath.PARTITION_SCAN,
                    "It scans a whole partition for " + String.join(", ", filtered)
                            + ": keep a copy under a row key made of it, or lists of keys if many entities share a value.",
                    List.of(GuidePattern.INTRA_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES));
        } else if (byRow) {
            return new QueryFinding(
                    query,
                    AccessPath.PARTITION_SCAN,
                    "The service scans a whole partition for row keys joined by \"or\": query each separately, or give them"
                            + " a common prefix.",
                    List.of(GuidePattern.COMPOUND_KEY));
        }
        return new QueryFinding(
                query, AccessPath.PARTITION_SCAN, "It reads a whole partition, as requested.", List.of());
    }

    private static QueryFinding ofTable(DeclaredQuery query, Set<String> filtered, boolean byRow, boolean byTime) {
        if (byTime) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "It scans every partition for a time: put the time into row keys, newest first, or use one table per"
                            + " period, which can be dropped.",
                    List.of(GuidePattern.LOG_TAIL, GuidePattern.HIGH_VOLUME_DELETE, GuidePattern.LOG_DATA));
        } else if (!filtered.isEmpty()) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "It scans every partition for " + String.join(", ", filtered)
                            + ": keep a copy under keys made of it, or lists of keys if many entities share a value.",
                    List.of(GuidePattern.INTER_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES));
        } else if (byRow) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "It scans every partition for a row key without its partition key: give both, or keep a copy in a"
                            + " known partition.",
                    List.of(GuidePattern.INTER_PARTITION_SECONDARY_INDEX));
        }
        return new QueryFinding(
                query,
                AccessPath.TABLE_SCAN,
                "It scans every partition: give a partition key, with one query for each.",
                List.of(GuidePattern.COMPOUND_KEY));
    }
}
