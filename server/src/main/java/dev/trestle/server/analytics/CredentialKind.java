package dev.trestle.server.analytics;

import dev.trestle.server.pipeline.RequestDetails;

/** How those who ask show who they are, which leads the name of a status. */
enum CredentialKind {
    OWNER("authenticated", "", ""),
    SAS("SAS", "SAS", "SAS"),
    ANONYMOUS("anonymous", "Anonymous", "Anonymous"),
    /** The metrics, which are older than tokens, count them with the owner. */
    BEARER("bearer", "OAuth", "");

    private final String word;
    private final String logPrefix;
    private final String column;

    CredentialKind(String word, String logPrefix, String column) {
        this.word = word;
        this.logPrefix = logPrefix;
        this.column = column;
    }

    static CredentialKind of(RequestDetails.Credentials credentials) {
        return switch (credentials) {
            case SHARED_KEY -> OWNER;
            case SHARED_ACCESS_SIGNATURE -> SAS;
            case ANONYMOUS -> ANONYMOUS;
            case BEARER -> BEARER;
        };
    }

    /** The type of authentication in a line. */
    String word() {
        return word;
    }

    /** What a status in a line begins with. */
    String logPrefix() {
        return logPrefix;
    }

    /** What the name of a count in the metrics begins with. */
    String column() {
        return column;
    }

    /** The one that is counted for this one. */
    CredentialKind counted() {
        return this == BEARER ? OWNER : this;
    }
}
