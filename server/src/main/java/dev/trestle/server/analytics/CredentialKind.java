package dev.trestle.server.analytics;

import dev.trestle.server.pipeline.RequestDetails;

/** The kind of credentials, which is a prefix of the status names. */
enum CredentialKind {
    OWNER("authenticated", "", ""),
    SAS("SAS", "SAS", "SAS"),
    ANONYMOUS("anonymous", "Anonymous", "Anonymous"),
    /** The metrics have no columns for bearer tokens and count them as those of the owner. */
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

    /** Returns the authentication type in a log line. */
    String word() {
        return word;
    }

    /** Returns the prefix of a status in a log line. */
    String logPrefix() {
        return logPrefix;
    }

    /** Returns the prefix of a column in the metrics. */
    String column() {
        return column;
    }

    /** Returns the kind under which the metrics count this one. */
    CredentialKind counted() {
        return this == BEARER ? OWNER : this;
    }
}
