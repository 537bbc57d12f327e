package dev.trestle.server.table.json;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parsed name of a JSON member: a property, a type annotation, or an OData control name. Clients repeat the same
 * names, so each thread caches them.
 */
final class FieldName {
    private static final String TYPE_ANNOTATION = "@odata.type";
    private static final String ANNOTATION = "@odata.";
    private static final String CONTROL_PREFIX = "odata.";
    private static final int KEPT_BYTES_MAX = 2 * Limits.PROPERTY_NAME_UNITS_MAX;
    private static final byte[] NONE = {};
    private static final ThreadLocal<Cache> CACHE = ThreadLocal.withInitial(Cache::new);

    /** The kind of a member. */
    enum Kind {
        PROPERTY,
        TYPE,
        CONTROL
    }

    private final Kind kind;
    private final String property;
    private final byte[] encoded;
    private final boolean system;
    private final @Nullable StorageError fault;

    private FieldName(String text) {
        if (text.endsWith(TYPE_ANNOTATION)) {
            kind = Kind.TYPE;
            property = text.substring(0, text.length() - TYPE_ANNOTATION.length());
        } else {
            kind = text.startsWith(CONTROL_PREFIX) || text.contains(ANNOTATION) ? Kind.CONTROL : Kind.PROPERTY;
            property = text;
        }
        system = property.equals("PartitionKey") || property.equals("RowKey") || property.equals("Timestamp");
        fault = fault(property);
        encoded = fault == null ? Cesu8.encode(property) : new byte[0];
    }

    /** Returns the cache of this thread. */
    static Cache cache() {
        return CACHE.get();
    }

    /** A direct-mapped cache of names by their bytes: a colliding name evicts the previous one. */
    static final class Cache {
        private static final int SLOTS = 4096;

        private final byte[][] texts = new byte[SLOTS][];
        private final FieldName[] names = new FieldName[SLOTS];

        private Cache() {
            Arrays.fill(texts, NONE);
        }

        /** Returns the name with these CESU-8 bytes. */
        FieldName find(byte[] source, int offset, int length) {
            int slot = slot(source, offset, length);
            byte[] text = texts[slot];
            if (text != NONE && Arrays.equals(text, 0, text.length, source, offset, offset + length)) {
                return names[slot];
            }
            FieldName name = new FieldName(Cesu8.decode(source, offset, length));
            if (length > 0 && length <= KEPT_BYTES_MAX) {
                texts[slot] = Arrays.copyOfRange(source, offset, offset + length);
                names[slot] = name;
            }
            return name;
        }

        private static int slot(byte[] source, int offset, int length) {
            int hash = length;
            for (int i = offset; i < offset + length; i++) {
                hash = 31 * hash + source[i];
            }
            return (hash ^ hash >>> 12) & (SLOTS - 1);
        }
    }

    Kind kind() {
        return kind;
    }

    /** Returns the property that the member is, or annotates. */
    String property() {
        return property;
    }

    /** Whether the property is a key or Timestamp, which are not stored as properties. */
    boolean isSystem() {
        return system;
    }

    /** Returns the stored form of the property's name; fails if the name is not legal. */
    byte[] encoded() {
        if (fault != null) {
            throw new StorageException(fault);
        }
        return encoded;
    }

    /** Returns the error of a name, if any: property names are C# identifiers that are also XML names. */
    private static @Nullable StorageError fault(String name) {
        if (name.length() > Limits.PROPERTY_NAME_UNITS_MAX) {
            return StorageError.PROPERTY_NAME_TOO_LONG;
        }
        boolean valid = !name.isEmpty() && (Character.isLetter(name.charAt(0)) || name.charAt(0) == '_');
        for (int i = 1; valid && i < name.length(); i++) {
            valid = isNamePart(name.charAt(i));
        }
        return valid ? null : StorageError.PROPERTY_NAME_INVALID;
    }

    private static boolean isNamePart(char c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        }
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.LETTER_NUMBER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.CONNECTOR_PUNCTUATION,
                    Character.FORMAT -> true;
            default -> false;
        };
    }
}
