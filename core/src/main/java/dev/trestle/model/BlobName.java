package dev.trestle.model;

/** A valid blob name: any text without control characters and lone surrogates. */
public record BlobName(String value) {
    private static final int UNITS_MAX = 1024;
    private static final int SEGMENTS_MAX = 254;

    public BlobName {
        if (value.isEmpty() || value.length() > UNITS_MAX) {
            throw new StorageException(
                    StorageError.OUT_OF_RANGE_INPUT,
                    "The specified resource name length is not within the permissible limits.");
        }
        int slashes = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
            if (Character.isISOControl(c) || (Character.isSurrogate(c) && !pair)) {
                throw new StorageException(StorageError.INVALID_RESOURCE_NAME);
            }
            slashes += c == '/' ? 1 : 0;
            i += pair ? 1 : 0;
        }
        if (slashes >= SEGMENTS_MAX) {
            throw new StorageException(StorageError.INVALID_RESOURCE_NAME);
        }
    }

    /** Replaces backslashes by slashes, as the service does. */
    public static String normalize(String name) {
        return name.replace('\\', '/');
    }

    @Override
    public String toString() {
        return value;
    }
}
