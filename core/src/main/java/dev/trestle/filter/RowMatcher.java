package dev.trestle.filter;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * A compiled filter, evaluated on encoded rows. Comparisons find their property in the bytes of the row and
 * compare it there, without decoding. Immutable and thread-safe; the caller provides the cursor.
 *
 * <p>The rules are the service's: a comparison with a property the row lacks is false, whatever the operator; an
 * Int32 literal compares with Int64 and Double properties, an Int64 literal with Double properties; for any other
 * mix of types, the property sorts before the literal.
 */
public final class RowMatcher {
    private final Node root;
    private final boolean always;
    private final boolean readsKeys;

    private RowMatcher(Node root, boolean always, boolean readsKeys) {
        this.root = root;
        this.always = always;
        this.readsKeys = readsKeys;
    }

    public static RowMatcher of(Filter filter) {
        Compiler compiler = new Compiler();
        Node root = filter.accept(compiler);
        return new RowMatcher(root, filter.equals(Filter.ALL), compiler.readsKeys);
    }

    /** Returns whether the filter reads the key. If not, callers may pass any bytes as the key. */
    public boolean readsKeys() {
        return readsKeys;
    }

    /** Returns whether every row matches, so that callers can skip the evaluation. */
    public boolean matchesAll() {
        return always;
    }

    public boolean matches(
            byte[] key, int keyOffset, int keyLength, byte[] row, int rowOffset, int rowLength, RowReader cursor) {
        if (always) {
            return true;
        }
        return root.test(key, keyOffset, keyLength, cursor.reset(row, rowOffset, rowLength));
    }

    public boolean matches(Key key, byte[] row) {
        return matches(key.bytes(), 0, key.bytes().length, row, 0, row.length, new RowReader());
    }

    /** A compiled part of the filter. Takes plain arguments, so that the evaluation does not allocate. */
    private interface Node {
        boolean test(byte[] key, int keyOffset, int keyLength, RowReader row);
    }

    private static final class Compiler implements Filter.Visitor<Node> {
        private boolean readsKeys;

        @Override
        public Node constant(boolean value) {
            return (key, keyOffset, keyLength, row) -> value;
        }

        @Override
        public Node comparison(Filter.Comparison comparison) {
            return switch (comparison.property()) {
                case Filter.PARTITION_KEY, Filter.ROW_KEY -> {
                    readsKeys = true;
                    yield keyComparison(comparison);
                }
                case Filter.TIMESTAMP -> timestampComparison(comparison);
                default -> propertyComparison(comparison);
            };
        }

        private static Node keyComparison(Filter.Comparison comparison) {
            Operator operator = comparison.operator();
            if (!(comparison.literal() instanceof EdmValue.Text text)) {
                return (key, keyOffset, keyLength, row) -> operator.holdsAcrossTypes();
            }
            String literal = text.value();
            if (literal.indexOf(0) >= 0) {
                // Encoded keys escape U+0000, which valid keys do not contain. So speed does not matter here.
                boolean partition = comparison.property().equals(Filter.PARTITION_KEY);
                return (key, keyOffset, keyLength, row) -> {
                    Key decoded = Key.ofBytes(Arrays.copyOfRange(key, keyOffset, keyOffset + keyLength));
                    return operator.holds((partition ? decoded.partitionKey() : decoded.rowKey()).compareTo(literal));
                };
            }
            byte[] bytes = Cesu8.encode(literal);
            if (comparison.property().equals(Filter.PARTITION_KEY)) {
                return (key, keyOffset, keyLength, row) -> {
                    int from = keyOffset + Key.partitionKeyStart();
                    int to = Key.separator(key, keyOffset, keyLength);
                    return operator.holds(Arrays.compareUnsigned(key, from, to, bytes, 0, bytes.length));
                };
            }
            return (key, keyOffset, keyLength, row) -> {
                int from = Key.separator(key, keyOffset, keyLength) + 2;
                int to = keyOffset + keyLength;
                return operator.holds(Arrays.compareUnsigned(key, from, to, bytes, 0, bytes.length));
            };
        }

        private static Node timestampComparison(Filter.Comparison comparison) {
            Operator operator = comparison.operator();
            if (!(comparison.literal() instanceof EdmValue.DateTime time)) {
                return (key, keyOffset, keyLength, row) -> operator.holdsAcrossTypes();
            }
            return (key, keyOffset, keyLength, row) -> operator.holds(Long.compare(row.version(), time.ticks()));
        }

        private static Node propertyComparison(Filter.Comparison comparison) {
            byte[] name = Cesu8.encode(comparison.property());
            Test test = test(comparison.operator(), comparison.literal());
            return (key, keyOffset, keyLength, row) -> row.find(name) && test.holds(row);
        }

        @Override
        public Node and(List<Filter> parts) {
            Node[] nodes = compile(parts);
            return (key, keyOffset, keyLength, row) -> {
                for (Node node : nodes) {
                    if (!node.test(key, keyOffset, keyLength, row)) {
                        return false;
                    }
                }
                return true;
            };
        }

        @Override
        public Node or(List<Filter> parts) {
            Node[] nodes = compile(parts);
            return (key, keyOffset, keyLength, row) -> {
                for (Node node : nodes) {
                    if (node.test(key, keyOffset, keyLength, row)) {
                        return true;
                    }
                }
                return false;
            };
        }

        @Override
        public Node not(Filter part) {
            Node node = part.accept(this);
            return (key, keyOffset, keyLength, row) -> !node.test(key, keyOffset, keyLength, row);
        }

        private Node[] compile(List<Filter> parts) {
            return parts.stream().map(part -> part.accept(this)).toArray(Node[]::new);
        }
    }

    /** A compiled comparison of the current property. */
    private interface Test {
        boolean holds(RowReader property);
    }

    private static Test test(Operator operator, EdmValue literal) {
        if (literal instanceof EdmValue.Text text) {
            return bytesTest(operator, EdmType.STRING, Cesu8.encode(text.value()));
        } else if (literal instanceof EdmValue.Binary binary) {
            return bytesTest(operator, EdmType.BINARY, binary.value());
        } else if (literal instanceof EdmValue.Guid guid) {
            // The bytes of a Guid are in the order of its digits.
            byte[] digits = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(guid.high())
                    .putLong(guid.low())
                    .array();
            return bytesTest(operator, EdmType.GUID, digits);
        } else if (literal instanceof EdmValue.Int32 number) {
            return numberTest(operator, EdmType.INT32, number.value());
        } else if (literal instanceof EdmValue.Int64 number) {
            return numberTest(operator, EdmType.INT64, number.value());
        } else if (literal instanceof EdmValue.Real number) {
            return property -> property.type() == EdmType.DOUBLE
                    ? realHolds(operator, property.real(), number.value())
                    : operator.holdsAcrossTypes();
        } else if (literal instanceof EdmValue.Bool bool) {
            return property -> property.type() == EdmType.BOOLEAN
                    ? operator.holds(Boolean.compare(property.bool(), bool.value()))
                    : operator.holdsAcrossTypes();
        } else if (literal instanceof EdmValue.DateTime time) {
            return property -> property.type() == EdmType.DATE_TIME
                    ? operator.holds(Long.compare(property.int64(), time.ticks()))
                    : operator.holdsAcrossTypes();
        }
        throw new AssertionError(literal);
    }

    private static Test bytesTest(Operator operator, EdmType type, byte[] literal) {
        return property -> {
            if (property.type() != type) {
                return operator.holdsAcrossTypes();
            }
            int from = property.valueOffset();
            return operator.holds(Arrays.compareUnsigned(
                    property.data(), from, from + property.valueLength(), literal, 0, literal.length));
        };
    }

    private static Test numberTest(Operator operator, EdmType literalType, long literal) {
        boolean narrow = literalType == EdmType.INT32;
        return property -> switch (property.type()) {
            case INT32 ->
                narrow ? operator.holds(Integer.compare(property.int32(), (int) literal)) : operator.holdsAcrossTypes();
            case INT64 -> operator.holds(Long.compare(property.int64(), literal));
            case DOUBLE -> realHolds(operator, property.real(), (double) literal);
            case STRING, BOOLEAN, DATE_TIME, GUID, BINARY -> operator.holdsAcrossTypes();
        };
    }

    /** IEEE comparison: zero equals minus zero, and NaN differs from everything. */
    private static boolean realHolds(Operator operator, double value, double literal) {
        if (Double.isNaN(value) || Double.isNaN(literal)) {
            return operator == Operator.NE;
        }
        return operator.holds(value < literal ? -1 : value > literal ? 1 : 0);
    }
}
