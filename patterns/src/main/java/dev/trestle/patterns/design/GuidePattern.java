package dev.trestle.patterns.design;

/** The patterns of the table design guide that mend a query or a key, by the names it gives them. */
public enum GuidePattern {
    INTRA_PARTITION_SECONDARY_INDEX("Intra-partition secondary index pattern"),
    INTER_PARTITION_SECONDARY_INDEX("Inter-partition secondary index pattern"),
    INDEX_ENTITIES("Index Entities Pattern"),
    COMPOUND_KEY("Compound key pattern"),
    LOG_TAIL("Log tail pattern"),
    HIGH_VOLUME_DELETE("High volume delete pattern"),
    PREPEND_APPEND("Prepend/append anti-pattern"),
    LOG_DATA("Log data anti-pattern");

    private final String title;

    GuidePattern(String title) {
        this.title = title;
    }

    /** Its heading in the guide. */
    public String title() {
        return title;
    }
}
