package dev.trestle.server.table.json;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The name of a member of an entity's JSON, understood: a property, the type of one, or one of OData's own. Clients send
 * the same names over and over, so each thread keeps the ones it has seen.
 */
final class FieldName {
    private static final String TYPE_ANNOTATION = "@odata.type";
    private static final String ANNOTATION = "@odata.";
    private static final String CONTROL_PREFIX = "odata.";
    private static final int KEPT_BYTES_MAX = 2 * Limits.PROPERTY_NAME_UNITS_MAX;
    private static final byte[] NONE = {};
    private static final ThreadLocal<Cache> CACHE = ThreadLocal.withInitial(Cache::new);

    /** What a member is. */
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

    /** The names this thread has seen. */
    static Cache cache() {
        return CACHE.get();
    }

    /** Names by their bytes, a slot for each hash: a name that does not fit takes the place of another. */
    static final class Cache {
        private static final int SLOTS = 4096;

        private final byte[][] texts = new byte[SLOTS][];
        private final FieldName[] names = new FieldName[SLOTS];

        private Cache() {
            Arrays.fill(texts, NONE);
        }

        /** The name that stands here, in CESU-8. */
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

    /** The property that the member is, or is about. */
    String property() {
        return property;
    }

    /** Whether the property is one that every entity has, which is not stored as the others are. */
    boolean isSystem() {
        return system;
    }

    /** The property's name as it is stored; refuses one that no property can have. */
    byte[] encoded() {
        if (fault != null) {
            throw new StorageException(fault);
        }
        return encoded;
    }

    /** Property names are identifiers of C# that are also names in XML. */
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
