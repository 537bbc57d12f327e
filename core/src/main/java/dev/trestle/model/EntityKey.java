package dev.trestle.model;

/** The valid partition key and row key of an entity. */
public record EntityKey(String partitionKey, String rowKey) {
    public EntityKey {
        check("PartitionKey", partitionKey);
        check("RowKey", rowKey);
    }

    private static void check(String name, String value) {
        if (value.length() > Limits.KEY_UNITS_MAX) {
            throw new StorageException(StorageError.PROPERTY_VALUE_TOO_LARGE);
        }
        for (int i = 0; i < value.length(); i++) {
            if (isForbidden(value.charAt(i)) || isLoneSurrogate(value, i)) {
                throw new StorageException(
                        StorageError.OUT_OF_RANGE_INPUT,
                        "The '" + name + "' parameter of value '" + value + "' is out of range.");
            }
        }
    }

    private static boolean isForbidden(char c) {
        return c <= 0x1F || (c >= 0x7F && c <= 0x9F) || c == '/' || c == '\\' || c == '#' || c == '?';
    }

    /** A lone surrogate could be stored, but no URL could address the entity. */
    private static boolean isLoneSurrogate(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }

    @Override
    public String toString() {
        return "(" + new EdmValue.Text(partitionKey) + "," + new EdmValue.Text(rowKey) + ")";
    }
}
