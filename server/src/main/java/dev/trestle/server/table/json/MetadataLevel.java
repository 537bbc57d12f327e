package dev.trestle.server.table.json;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The amount of OData metadata in a response. */
public enum MetadataLevel {
    NONE("nometadata"),
    MINIMAL("minimalmetadata"),
    FULL("fullmetadata");

    private final String contentType;
    private final String word;

    MetadataLevel(String word) {
        this.word = word;
        this.contentType = "application/json;odata=" + word + ";streaming=true;charset=utf-8";
    }

    public String contentType() {
        return contentType;
    }

    /**
     * Returns the level that a client requests. {@code $format} takes precedence over {@code Accept}; the default is
     * minimal.
     *
     * @throws StorageException with status 415 if the client accepts only formats that the service does not support
     */
    public static MetadataLevel negotiate(Optional<String> format, Optional<String> accept) {
        String requested =
                format.filter(text -> !text.isBlank()).or(() -> accept).orElse("");
        MetadataLevel known = known(requested);
        return known != null ? known : negotiate(requested.toLowerCase(Locale.ROOT));
    }

    /** Returns the level for the exact texts that SDKs send, else null; other texts are parsed. */
    private static @Nullable MetadataLevel known(String requested) {
        return switch (requested) {
            case "", "json", "application/json", "application/json;odata=minimalmetadata" -> MINIMAL;
            case "application/json;odata=nometadata" -> NONE;
            case "application/json;odata=fullmetadata" -> FULL;
            default -> null;
        };
    }

    private static MetadataLevel negotiate(String requested) {
        if (requested.isBlank() || requested.equals("json")) {
            return MINIMAL;
        }
        StorageError refusal = StorageError.MEDIA_TYPE_NOT_SUPPORTED;
        for (String range : requested.split(",", -1)) {
            String[] parts = range.split(";", -1);
            String type = parts[0].strip();
            if (type.equals("application/json") || type.equals("*/*") || type.equals("application/*")) {
                Optional<MetadataLevel> level = level(parts);
                if (level.isPresent()) {
                    return level.get();
                }
                refusal = StorageError.JSON_VERBOSE_FORMAT_NOT_SUPPORTED;
            } else if (type.equals("application/atom+xml") || type.equals("application/xml") || type.equals("atom")) {
                refusal = StorageError.ATOM_FORMAT_NOT_SUPPORTED;
            }
        }
        throw new StorageException(refusal);
    }

    private static Optional<MetadataLevel> level(String[] parameters) {
        for (int i = 1; i < parameters.length; i++) {
            String parameter = parameters[i].replace(" ", "");
            if (parameter.startsWith("odata=")) {
                String level = parameter.substring("odata=".length());
                for (MetadataLevel candidate : values()) {
                    if (candidate.word.equals(level)) {
                        return Optional.of(candidate);
                    }
                }
                return Optional.empty();
            }
        }
        return Optional.of(MINIMAL);
    }
}
