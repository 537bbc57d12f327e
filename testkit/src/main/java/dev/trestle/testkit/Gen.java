package dev.trestle.testkit;

import dev.trestle.engine.Commit;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Random keys, values, rows, filters and commits, all decided by a seed. Values are drawn from small pools and from the
 * edges of their types, so that two of them often meet: equal keys, equal names, comparisons that hold. For one thread.
 */
public final class Gen {
    private static final List<String> KEYS = List.of(
            "",
            "a",
            "aa",
            "ab",
            "b",
            "B",
            "a b",
            "a\u00E9",
            "\u00E9",
            "\u4E2D",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "\uE000",
            "\uFFFD",
            "\uFFFF",
            "a\uFFFF",
            "\u0000",
            "a\u0000",
            "a\u0001",
            "\u007F\u0080",
            "\u07FF\u0800",
            "it's");
    private static final List<String> NAMES =
            List.of("Name", "Age", "name", "N", "City", "\u00C9tat", "A_very_long_property_name_indeed");
    private static final String ALPHABET = "ab01\u00E9\uFFFF\uD83D\uDE00'";
    private static final int[] INTS = {0, 1, -1, 42, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final long[] LONGS = {
        0, 1, -1, 42, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE + 1L, (1L << 53) + 1
    };
    private static final double[] REALS = {
        0.0,
        -0.0,
        1,
        -1,
        42,
        0.1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        9007199254740992.0
    };
    private static final long[] TICKS = {0, 1, Ticks.MAX, 125_911_584_000_000_000L};
    private static final long[] GUID_HALVES = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE};

    private final SplittableRandom random;

    public Gen(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /**
     * Returns the seeds of a property test: a fixed sequence and one random seed, or only {@code trestle.seed} to repeat a
     * failure. {@code trestle.seeds.factor} multiplies their number for long runs; {@code trestle.seeds.max} limits it where
     * calls are slow.
     */
    public static LongStream seeds(int suggested) {
        int wanted = suggested * Integer.getInteger("trestle.seeds.factor", 1);
        int count = Math.min(wanted, Integer.getInteger("trestle.seeds.max", wanted));
        Long repeated = Long.getLong("trestle.seed");
        return repeated != null
                ? LongStream.of(repeated)
                : LongStream.concat(LongStream.range(0, count - 1L), LongStream.of(System.nanoTime()));
    }

    /** Something that has to hold whatever is generated. */
    public interface Property {
        void check(Gen gen) throws Exception;
    }

    /** Checks the property with this seed; a failure says how to repeat it. */
    public static void check(long seed, Property property) {
        try {
            property.check(new Gen(seed));
        } catch (Throwable failure) {
            throw new AssertionError("failed with -Dtrestle.seed=" + seed, failure);
        }
    }

    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** From zero up to and without the bound. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private <T> List<T> listOf(int size, Supplier<T> part) {
        List<T> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(part.get());
        }
        return list;
    }

    /** A partition key or row key, also with characters the service would not accept. */
    public String keyText() {
        return chance(80) ? oneOf(KEYS) : text(4);
    }

    public String text(int unitsMax) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(unitsMax + 1); i > 0; i--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    public Key key(long collection) {
        return Key.of(collection, keyText(), keyText());
    }

    public String propertyName() {
        return oneOf(NAMES);
    }

    public EdmValue value() {
        return value(oneOf(List.of(EdmType.values())));
    }

    public EdmValue value(EdmType type) {
        boolean edge = chance(70);
        return switch (type) {
            case STRING -> new EdmValue.Text(edge ? oneOf(KEYS) : text(200));
            case INT32 -> new EdmValue.Int32(edge ? INTS[random.nextInt(INTS.length)] : random.nextInt());
            case INT64 -> new EdmValue.Int64(edge ? LONGS[random.nextInt(LONGS.length)] : random.nextLong());
            case DOUBLE ->
                new EdmValue.Real(
                        edge ? REALS[random.nextInt(REALS.length)] : Double.longBitsToDouble(random.nextLong()));
            case BOOLEAN -> new EdmValue.Bool(random.nextBoolean());
            case DATE_TIME ->
                new EdmValue.DateTime(edge ? TICKS[random.nextInt(TICKS.length)] : random.nextLong(Ticks.MAX));
            case GUID -> new EdmValue.Guid(guidHalf(edge), guidHalf(edge));
            case BINARY -> new EdmValue.Binary(bytes(edge ? 2 : 200));
        };
    }

    private long guidHalf(boolean edge) {
        return edge ? GUID_HALVES[random.nextInt(GUID_HALVES.length)] : random.nextLong();
    }

    private byte[] bytes(int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** An encoded row with distinct properties, sometimes none. */
    public byte[] row() {
        Set<String> names = new TreeSet<>(listOf(random.nextInt(NAMES.size()), this::propertyName));
        RowBuilder row = new RowBuilder();
        names.forEach(name -> row.put(name, value()));
        return row.build();
    }

    /** A filter of any shape, at most this many connectives deep. */
    public Filter filter(int depth) {
        if (depth == 0 || chance(30)) {
            return chance(5) ? (chance(50) ? Filter.ALL : Filter.NONE) : comparison();
        }
        return switch (random.nextInt(3)) {
            case 0 -> Filter.and(listOf(1 + random.nextInt(3), () -> filter(depth - 1)));
            case 1 -> Filter.or(listOf(1 + random.nextInt(3), () -> filter(depth - 1)));
            default -> Filter.not(filter(depth - 1));
        };
    }

    /** A comparison of a key, the timestamp or a property, with a literal that mostly has a fitting type. */
    public Filter comparison() {
        Operator operator = oneOf(List.of(Operator.values()));
        return switch (random.nextInt(6)) {
            case 0 -> Filter.compare(Filter.PARTITION_KEY, operator, keyLiteral());
            case 1 -> Filter.compare(Filter.ROW_KEY, operator, keyLiteral());
            case 2 -> Filter.compare(Filter.TIMESTAMP, operator, chance(90) ? value(EdmType.DATE_TIME) : value());
            default -> Filter.compare(propertyName(), operator, value());
        };
    }

    private EdmValue keyLiteral() {
        return chance(90) ? new EdmValue.Text(keyText()) : value();
    }

    /**
     * A commit of up to {@code writesMax} writes to one partition.
     *
     * @param version gives a version that some row may have
     */
    public Commit commit(long collection, int writesMax, Supplier<Long> version) {
        String partitionKey = keyText();
        Set<String> rowKeys = new TreeSet<>(listOf(1 + random.nextInt(writesMax), this::keyText));
        List<Write> writes = new ArrayList<>();
        for (String rowKey : rowKeys) {
            writes.add(write(Key.of(collection, partitionKey, rowKey), version));
        }
        return new Commit(collection, partitionKey, writes);
    }

    public Write write(Key key, Supplier<Long> version) {
        Precondition precondition = precondition(version);
        return switch (random.nextInt(4)) {
            case 0 -> new Write.Delete(key, precondition);
            case 1 -> new Write.Merge(key, row(), precondition, rowLimits(key));
            default -> new Write.Put(key, row(), precondition);
        };
    }

    private Write.RowLimits rowLimits(Key key) {
        int keyUnits = key.partitionKey().length() + key.rowKey().length();
        return new Write.RowLimits(
                chance(90) ? NAMES.size() : random.nextInt(NAMES.size()),
                keyUnits,
                chance(90) ? 1 << 20 : random.nextInt(1000));
    }

    private Precondition precondition(Supplier<Long> version) {
        int choice = random.nextInt(100);
        if (choice < 60) {
            return Precondition.NONE;
        } else if (choice < 75) {
            return Precondition.ABSENT;
        } else if (choice < 90) {
            return Precondition.PRESENT;
        }
        return Precondition.versionEquals(version.get());
    }

    /** Returns a copy of the commit, for an engine that takes ownership of the arrays. */
    public static Commit copy(Commit commit) {
        List<Write> writes = new ArrayList<>();
        for (Write write : commit.writes()) {
            if (write instanceof Write.Put put) {
                writes.add(new Write.Put(put.key(), put.row().clone(), put.precondition()));
            } else if (write instanceof Write.Merge merge) {
                writes.add(new Write.Merge(merge.key(), merge.columns().clone(), merge.precondition(), merge.limits()));
            } else {
                writes.add(write);
            }
        }
        return new Commit(commit.collection(), commit.partitionKey(), writes);
    }
}
