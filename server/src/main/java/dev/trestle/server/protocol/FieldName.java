package dev.trestle.server.protocol;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The name of a member of an entity's JSON, understood: a property, the type of one, or one of OData's own. Clients send
 * the same names over and over, so each thread keeps the ones it has seen.
 */
final class FieldName {
    private static final String TYPE_ANNOTATION = "@odata.type";
    private static final String ANNOTATION = "@odata.";
    private static final String CONTROL_PREFIX = "odata.";
    private static final int KEPT_MAX = 4096;
    private static final ThreadLocal<Map<String, FieldName>> KEPT = ThreadLocal.withInitial(HashMap::new);

    /** What a member is. */
    enum Kind {
        PROPERTY,
        TYPE,
        CONTROL
    }

    private final Kind kind;
    private final String property;
    private final byte[] encoded;
    private final @Nullable StorageError fault;

    private FieldName(String text) {
        if (text.endsWith(TYPE_ANNOTATION)) {
            kind = Kind.TYPE;
            property = text.substring(0, text.length() - TYPE_ANNOTATION.length());
        } else {
            kind = text.startsWith(CONTROL_PREFIX) || text.contains(ANNOTATION) ? Kind.CONTROL : Kind.PROPERTY;
            property = text;
        }
        fault = fault(property);
        encoded = fault == null ? Cesu8.encode(property) : new byte[0];
    }

    static FieldName of(String text) {
        Map<String, FieldName> kept = KEPT.get();
        FieldName known = kept.get(text);
        if (known == null) {
            known = new FieldName(text);
            if (kept.size() >= KEPT_MAX) {
                kept.clear();
            }
            if (text.length() <= Limits.PROPERTY_NAME_UNITS_MAX) {
                kept.put(text, known);
            }
        }
        return known;
    }

    Kind kind() {
        return kind;
    }

    /** The property that the member is, or is about. */
    String property() {
        return property;
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
