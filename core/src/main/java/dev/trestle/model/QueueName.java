package dev.trestle.model;

/** A valid queue name: lower-case letters, digits, and single hyphens between them. */
public record QueueName(String value) {
    private static final int LENGTH_MIN = 3;
    private static final int LENGTH_MAX = 63;

    public QueueName {
        if (value.length() < LENGTH_MIN || value.length() > LENGTH_MAX) {
            throw new StorageException(
                    StorageError.OUT_OF_RANGE_INPUT,
                    "The specified resource name length is not within the permissible limits.");
        }
        boolean afterHyphen = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean hyphen = c == '-';
            if ((hyphen && afterHyphen) || (!hyphen && (c < 'a' || c > 'z') && (c < '0' || c > '9'))) {
                throw new StorageException(StorageError.INVALID_RESOURCE_NAME);
            }
            afterHyphen = hyphen;
        }
        if (afterHyphen) {
            throw new StorageException(StorageError.INVALID_RESOURCE_NAME);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
