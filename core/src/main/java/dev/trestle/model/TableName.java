package dev.trestle.model;

import java.util.Locale;

/**
 * A valid name of a table, including the service's own tables. Names are case-insensitive and keep the case of
 * their creation.
 */
public record TableName(String value) {
    private static final int LENGTH_MIN = 3;
    private static final int LENGTH_MAX = 63;
    private static final String RESERVED = "tables";
    private static final String METRICS = "$Metrics";

    public TableName {
        if (value.length() < LENGTH_MIN || value.length() > LENGTH_MAX) {
            throw new StorageException(
                    StorageError.OUT_OF_RANGE_INPUT,
                    "The specified resource name length is not within the permissible limits.");
        }
        String clients = isOfTheService(value) ? value.substring(1) : value;
        if (!isLetter(clients.charAt(0)) || !isAlphanumeric(clients) || clients.equalsIgnoreCase(RESERVED)) {
            throw new StorageException(StorageError.INVALID_RESOURCE_NAME);
        }
    }

    /**
     * Returns whether this is a table of the service itself: clients may read it and delete entities, nothing
     * else.
     */
    public boolean isOfTheService() {
        return isOfTheService(value);
    }

    private static boolean isOfTheService(String text) {
        return text.length() > METRICS.length() && text.regionMatches(true, 0, METRICS, 0, METRICS.length());
    }

    /** Returns the lower-case form, which is compared, listed and signed. */
    public String folded() {
        return value.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return value;
    }

    private static boolean isAlphanumeric(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetter(c) && (c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
