package dev.trestle.server.pipeline;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Codec of the metadata of queues, containers and blobs in {@code x-ms-meta-} headers. */
public final class MetadataHeaders {
    private static final String PREFIX = "x-ms-meta-";

    private MetadataHeaders() {}

    /** Parses the metadata of a request. Names keep their case, but names that differ only in case are duplicates. */
    public static Map<String, String> read(Iterable<Map.Entry<String, String>> headers) {
        Map<String, String> metadata = new LinkedHashMap<>();
        Set<String> folded = new HashSet<>();
        int units = 0;
        for (Map.Entry<String, String> header : headers) {
            String key = header.getKey();
            if (!key.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                continue;
            }
            String name = key.substring(PREFIX.length());
            String value = header.getValue().strip();
            if (name.isEmpty()) {
                throw new StorageException(StorageError.EMPTY_METADATA_KEY);
            }
            if (!isIdentifier(name)
                    || !value.chars().allMatch(c -> c >= ' ' && c < 0x7F)
                    || !folded.add(name.toLowerCase(Locale.ROOT))) {
                throw new StorageException(StorageError.INVALID_METADATA);
            }
            units += name.length() + value.length();
            metadata.put(name, value);
        }
        if (units > Limits.METADATA_BYTES_MAX) {
            throw new StorageException(StorageError.METADATA_TOO_LARGE);
        }
        return metadata;
    }

    private static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    public static void write(Map<String, String> metadata, Response response) {
        new TreeMap<>(metadata).forEach((name, value) -> response.header(PREFIX + name, value));
    }
}
