package dev.trestle.patterns.design;

/** The patterns of the table design guide that remedy an expensive query or a hot partition. */
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

    /** Returns the pattern's heading in the guide. */
    public String title() {
        return title;
    }
}
