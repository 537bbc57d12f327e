package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * The table {@code NAMESPACE:rows}, which is created at the first start. Its keys are those of
 * {@link dev.trestle.keyspace.Key}; internal rows of the engine begin with a zero byte.
 *
 * <ul>
 *   <li>Regions end between partitions: a split point is cut to a key up to {@code 00 01}, which ends the
 *       partition key. So all rows of a partition are in one region and can be mutated atomically.
 *   <li>With NEW_VERSION_BEHAVIOR, a tombstone hides cells that were written before it, not cells with an older
 *       time stamp. Otherwise a row that a front end with a late clock inserts again would be acknowledged and
 *       invisible.
 * </ul>
 */
final class Schema {
    private static final String ENDPOINT = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";
    private static final String SPLIT_TYPE = "hbase.regionserver.region.split_restriction.type";
    private static final String SPLIT_DELIMITER = "hbase.regionserver.region.split_restriction.delimiter";
    private static final int MAJOR_MIN = 2;
    private static final int MINOR_MIN = 5;

    private Schema() {}

    static TableName table(String namespace) {
        return TableName.valueOf(namespace, "rows");
    }

    /** Creates the table if it does not exist, and checks the settings that this engine relies on. */
    static void prepare(AsyncAdmin admin, String namespace) {
        checkVersion(admin.getClusterMetrics().join().getHBaseVersion());
        TableName table = table(namespace);
        if (!admin.tableExists(table).join()) {
            ignoring(
                    NamespaceExistException.class,
                    () -> admin.createNamespace(
                                    NamespaceDescriptor.create(namespace).build())
                            .join());
            // Another front end may create it concurrently.
            ignoring(
                    TableExistsException.class,
                    () -> admin.createTable(descriptor(table)).join());
        }
        check(admin.getDescriptor(table).join());
    }

    private static void ignoring(Class<? extends IOException> expected, Runnable action) {
        try {
            action.run();
        } catch (CompletionException e) {
            if (!expected.isInstance(StageFailures.cause(e))) {
                throw e;
            }
        }
    }

    static void checkVersion(String version) {
        String[] parts = version.split("[.-]", 3);
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = Integer.parseInt(parts[1]);
            if (major == MAJOR_MIN && minor >= MINOR_MIN) {
                return;
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // An unknown format; refused below.
        }
        throw new EngineException(
                EngineException.Kind.UNAVAILABLE,
                "The cluster runs HBase " + version + "; Trestle works with 2.5 and later versions of HBase 2.");
    }

    static TableDescriptor descriptor(TableName table) {
        ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(RowCells.FAMILY)
                .setMaxVersions(1)
                .setNewVersionBehavior(true)
                .setBloomFilterType(BloomType.ROW)
                .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                .build();
        try {
            return TableDescriptorBuilder.newBuilder(table)
                    .setColumnFamily(family)
                    .setCoprocessor(ENDPOINT)
                    .setValue(SPLIT_TYPE, "DelimitedKeyPrefix")
                    .setValue(SPLIT_DELIMITER, "\u0000\u0001")
                    .build();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks the table: with other settings it would seem to work, and could lose writes. */
    static void check(TableDescriptor found) {
        TableDescriptor wanted = descriptor(found.getTableName());
        ColumnFamilyDescriptor family = found.getColumnFamily(RowCells.FAMILY);
        Optional<String> fault = Optional.empty();
        if (family == null) {
            fault = Optional.of("has no column family e");
        } else if (!family.isNewVersionBehavior() || family.getMaxVersions() != 1) {
            fault = Optional.of("keeps versions in another way (NEW_VERSION_BEHAVIOR, VERSIONS)");
        } else if (!found.hasCoprocessor(ENDPOINT)) {
            fault = Optional.of("lacks the coprocessor " + ENDPOINT);
        } else if (!sameValue(found, wanted, SPLIT_TYPE) || !sameValue(found, wanted, SPLIT_DELIMITER)) {
            fault = Optional.of("may split partitions (" + SPLIT_TYPE + ", " + SPLIT_DELIMITER + ")");
        }
        fault.ifPresent(what -> {
            throw new EngineException(
                    EngineException.Kind.UNAVAILABLE,
                    "The table " + found.getTableName() + " " + what
                            + ", so Trestle did not make it or somebody altered it. Set it right, or choose another"
                            + " namespace.");
        });
    }

    private static boolean sameValue(TableDescriptor one, TableDescriptor other, String name) {
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(one.getValue(key), other.getValue(key));
    }
}
