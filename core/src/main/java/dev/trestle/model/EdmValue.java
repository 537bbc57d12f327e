package dev.trestle.model;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A typed property value or filter literal. {@code toString} returns the literal in the filter grammar.
 */
public sealed interface EdmValue {
    EdmType type();

    record Text(String value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.STRING;
        }

        @Override
        public String toString() {
            return "'" + value.replace("'", "''") + "'";
        }
    }

    record Int32(int value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.INT32;
        }

        @Override
        public String toString() {
            return Integer.toString(value);
        }
    }

    record Int64(long value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.INT64;
        }

        @Override
        public String toString() {
            return value + "L";
        }
    }

    record Real(double value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.DOUBLE;
        }

        @Override
        public String toString() {
            if (Double.isInfinite(value)) {
                return value > 0 ? "INF" : "-INF";
            }
            return Double.toString(value);
        }
    }

    record Bool(boolean value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.BOOLEAN;
        }

        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** A time in {@link Ticks}. */
    record DateTime(long ticks) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.DATE_TIME;
        }

        @Override
        public String toString() {
            return "datetime'" + Ticks.format(ticks, false) + "'";
        }
    }

    /** A GUID as the number of its 32 digits, in the order of its text. */
    record Guid(long high, long low) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.GUID;
        }

        @Override
        public String toString() {
            return "guid'" + new java.util.UUID(high, low) + "'";
        }
    }

    record Binary(byte[] value) implements EdmValue {
        public Binary {
            value = value.clone();
        }

        @Override
        public EdmType type() {
            return EdmType.BINARY;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Binary that && Arrays.equals(value, that.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "X'" + HexFormat.of().formatHex(value) + "'";
        }
    }
}
