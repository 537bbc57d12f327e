package dev.trestle.model;

import java.util.Optional;

/** The property types, with their codes in stored rows. */
public enum EdmType {
    STRING("Edm.String", 1, -1),
    INT32("Edm.Int32", 2, 4),
    INT64("Edm.Int64", 3, 8),
    DOUBLE("Edm.Double", 4, 8),
    BOOLEAN("Edm.Boolean", 5, 1),
    DATE_TIME("Edm.DateTime", 6, 8),
    GUID("Edm.Guid", 7, 16),
    BINARY("Edm.Binary", 8, -1);

    private static final EdmType[] BY_CODE = new EdmType[9];

    static {
        for (EdmType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final String wireName;
    private final byte code;
    private final byte fixedSize;

    EdmType(String wireName, int code, int fixedSize) {
        this.wireName = wireName;
        this.code = (byte) code;
        this.fixedSize = (byte) fixedSize;
    }

    public String wireName() {
        return wireName;
    }

    public byte code() {
        return code;
    }

    /** Returns the stored size of values, or -1 if the length is stored with the value. */
    public int fixedSize() {
        return fixedSize;
    }

    public static EdmType ofCode(int code) {
        if (code < 1 || code >= BY_CODE.length) {
            throw new IllegalStateException("A stored row has the unknown property type " + code);
        }
        return BY_CODE[code];
    }

    public static Optional<EdmType> ofWireName(String name) {
        return switch (name) {
            case "Edm.String" -> Optional.of(STRING);
            case "Edm.Int32" -> Optional.of(INT32);
            case "Edm.Int64" -> Optional.of(INT64);
            case "Edm.Double" -> Optional.of(DOUBLE);
            case "Edm.Boolean" -> Optional.of(BOOLEAN);
            case "Edm.DateTime" -> Optional.of(DATE_TIME);
            case "Edm.Guid" -> Optional.of(GUID);
            case "Edm.Binary" -> Optional.of(BINARY);
            default -> Optional.empty();
        };
    }
}
