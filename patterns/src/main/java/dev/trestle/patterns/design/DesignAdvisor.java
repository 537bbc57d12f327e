package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.query.AccessPath;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reviews a design by the rules of the table design guide. It sees how keys are made and what queries ask, not how many entities
 * there are or how often a query runs: a scan of a table that stays small is no fault.
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

    /** Says of each query which way it takes and what would mend it, and of each type whether its partitions are hot. */
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
                            + "', which one node serves: make the partition key of something that differs",
                    GuidePattern.COMPOUND_KEY));
        }
        if (type.partitionsFollowTheClock()) {
            return List.of(new KeyWarning(
                    type,
                    "the partition key " + type.partitionKeyTemplate()
                            + " begins with a time, so all writers of a moment meet in one partition: begin it with"
                            + " something that spreads them",
                    GuidePattern.PREPEND_APPEND));
        }
        return List.of();
    }

    private static QueryFinding finding(DeclaredQuery query) {
        AccessPath path = query.filter().accessPath(query.mapping());
        Set<String> asked = new TreeSet<>(query.filter().properties(query.mapping()));
        boolean byRow = asked.contains(EntityKey.ROW_KEY);
        boolean byTime = asked.contains("Timestamp");
        asked.removeAll(KEYS);
        return switch (path) {
            case POINT -> new QueryFinding(query, path, "Nothing is faster.", List.of());
            case RANGE -> new QueryFinding(query, path, "It costs what lies in the range.", List.of());
            case PARTITION_SCAN -> ofPartition(query, asked, byRow);
            case TABLE_SCAN -> ofTable(query, asked, byRow, byTime);
        };
    }

    private static QueryFinding ofPartition(DeclaredQuery query, Set<String> asked, boolean byRow) {
        if (!asked.isEmpty()) {
            return new QueryFinding(
                    query,
                    AccessPath.PARTITION_SCAN,
                    "It looks at a whole partition for " + String.join(", ", asked)
                            + ": keep a copy under a row key made of it, or lists of keys if many entities share a value.",
                    List.of(GuidePattern.INTRA_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES));
        } else if (byRow) {
            return new QueryFinding(
                    query,
                    AccessPath.PARTITION_SCAN,
                    "The service looks at a whole partition for row keys joined by \"or\": ask for each by itself, or give them"
                            + " a common beginning.",
                    List.of(GuidePattern.COMPOUND_KEY));
        }
        return new QueryFinding(query, AccessPath.PARTITION_SCAN, "It reads a whole partition, as it says.", List.of());
    }

    private static QueryFinding ofTable(DeclaredQuery query, Set<String> asked, boolean byRow, boolean byTime) {
        if (byTime) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "It looks at every partition for a time: let row keys hold the time, newest first, or keep a table for each"
                            + " period, which can be dropped.",
                    List.of(GuidePattern.LOG_TAIL, GuidePattern.HIGH_VOLUME_DELETE, GuidePattern.LOG_DATA));
        } else if (!asked.isEmpty()) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "It looks at every partition for " + String.join(", ", asked)
                            + ": keep a copy under keys made of it, or lists of keys if many entities share a value.",
                    List.of(GuidePattern.INTER_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES));
        } else if (byRow) {
            return new QueryFinding(
                    query,
                    AccessPath.TABLE_SCAN,
                    "A row key without its partition key is looked for in every partition: give both, or keep a copy in a"
                            + " partition that is known.",
                    List.of(GuidePattern.INTER_PARTITION_SECONDARY_INDEX));
        }
        return new QueryFinding(
                query,
                AccessPath.TABLE_SCAN,
                "It looks at every partition: give a partition key, one query for each.",
                List.of(GuidePattern.COMPOUND_KEY));
    }
}
