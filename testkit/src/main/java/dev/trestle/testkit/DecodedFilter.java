package dev.trestle.testkit;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The meaning of a filter, spelled out on decoded values: slow, plain, and shares nothing with {@code RowMatcher}, which
 * it is there to check.
 */
final class DecodedFilter implements Filter.Visitor<Boolean> {
    private final Key key;
    private final byte[] row;

    private DecodedFilter(Key key, byte[] row) {
        this.key = key;
        this.row = row;
    }

    static boolean matches(Filter filter, Key key, byte[] row) {
        return filter.accept(new DecodedFilter(key, row));
    }

    @Override
    public Boolean constant(boolean value) {
        return value;
    }

    @Override
    public Boolean and(List<Filter> parts) {
        return parts.stream().allMatch(part -> part.accept(this));
    }

    @Override
    public Boolean or(List<Filter> parts) {
        return parts.stream().anyMatch(part -> part.accept(this));
    }

    @Override
    public Boolean not(Filter part) {
        return !part.accept(this);
    }

    @Override
    public Boolean comparison(Filter.Comparison comparison) {
        return value(comparison.property())
                .map(value -> holds(comparison.operator(), value, comparison.literal()))
                .orElse(false);
    }

    private Optional<EdmValue> value(String property) {
        return switch (property) {
            case Filter.PARTITION_KEY -> Optional.of(new EdmValue.Text(key.partitionKey()));
            case Filter.ROW_KEY -> Optional.of(new EdmValue.Text(key.rowKey()));
            case Filter.TIMESTAMP ->
                Optional.of(new EdmValue.DateTime(new RowReader().reset(row).version()));
            default -> {
                RowReader reader = new RowReader().reset(row);
                while (reader.next()) {
                    if (reader.name().equals(property)) {
                        yield Optional.of(reader.value());
                    }
                }
                yield Optional.empty();
            }
        };
    }

    private static boolean holds(Operator operator, EdmValue value, EdmValue literal) {
        if (value.type() == literal.type()) {
            return (value instanceof EdmValue.Real real && literal instanceof EdmValue.Real other)
                    ? realHolds(operator, real.value(), other.value())
                    : operator.holds(order(value, literal));
        }
        if (literal instanceof EdmValue.Int32 narrow && value instanceof EdmValue.Int64 wide) {
            return operator.holds(Long.compare(wide.value(), narrow.value()));
        }
        if (literal instanceof EdmValue.Int32 narrow && value instanceof EdmValue.Real real) {
            return realHolds(operator, real.value(), narrow.value());
        }
        if (literal instanceof EdmValue.Int64 wide && value instanceof EdmValue.Real real) {
            return realHolds(operator, real.value(), (double) wide.value());
        }
        return switch (operator) {
            case LT, LE, NE -> true;
            case GT, GE, EQ -> false;
        };
    }

    private static boolean realHolds(Operator operator, double value, double literal) {
        return switch (operator) {
            case EQ -> value == literal;
            case NE -> value != literal;
            case GT -> value > literal;
            case GE -> value >= literal;
            case LT -> value < literal;
            case LE -> value <= literal;
        };
    }

    private static int order(EdmValue value, EdmValue literal) {
        EdmType type = value.type();
        return switch (type) {
            case STRING -> ((EdmValue.Text) value).value().compareTo(((EdmValue.Text) literal).value());
            case INT32 -> Integer.compare(((EdmValue.Int32) value).value(), ((EdmValue.Int32) literal).value());
            case INT64 -> Long.compare(((EdmValue.Int64) value).value(), ((EdmValue.Int64) literal).value());
            case DOUBLE -> throw new AssertionError("doubles are not ordered");
            case BOOLEAN -> Boolean.compare(((EdmValue.Bool) value).value(), ((EdmValue.Bool) literal).value());
            case DATE_TIME -> Long.compare(((EdmValue.DateTime) value).ticks(), ((EdmValue.DateTime) literal).ticks());
            case GUID -> digits((EdmValue.Guid) value).compareTo(digits((EdmValue.Guid) literal));
            case BINARY ->
                Arrays.compareUnsigned(((EdmValue.Binary) value).value(), ((EdmValue.Binary) literal).value());
        };
    }

    private static BigInteger digits(EdmValue.Guid guid) {
        return new BigInteger(new UUID(guid.high(), guid.low()).toString().replace("-", ""), 16);
    }
}
