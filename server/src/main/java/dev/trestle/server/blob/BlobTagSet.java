package dev.trestle.server.blob;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Map;
import java.util.TreeMap;

/** Collects and validates the tags of a blob. */
public final class BlobTagSet {
    private final Map<String, String> tags = new TreeMap<>();

    public void add(String key, String value) {
        if (tags.size() == Limits.TAGS_MAX) {
            throw new StorageException(StorageError.TAGS_TOO_LARGE);
        }
        if (key.isEmpty()) {
            throw new StorageException(StorageError.EMPTY_TAG_NAME);
        }
        if (key.length() > Limits.TAG_KEY_UNITS_MAX || value.length() > Limits.TAG_VALUE_UNITS_MAX) {
            throw new StorageException(StorageError.TAGS_TOO_LARGE);
        }
        if (!isTagText(key)) {
            throw new StorageException(StorageError.INVALID_TAG).with("TagName", key);
        }
        if (!isTagText(value)) {
            throw new StorageException(StorageError.INVALID_TAG).with("TagValue", value);
        }
        if (tags.put(key, value) != null) {
            throw new StorageException(StorageError.DUPLICATE_TAG_NAMES);
        }
    }

    public Map<String, String> tags() {
        return tags;
    }

    static boolean isTagText(String text) {
        return text.chars().allMatch(c -> isTagCharacter((char) c));
    }

    static boolean isTagCharacter(char c) {
        return isWordCharacter(c) || " +-./:=".indexOf(c) >= 0;
    }

    /** Whether the character may occur in an unquoted key of a query. */
    static boolean isWordCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
}
