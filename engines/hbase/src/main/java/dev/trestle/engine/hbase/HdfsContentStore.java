package dev.trestle.engine.hbase;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.FileSystemContentStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;

/**
 * Opens the content store of a cluster, which is in the file system of HBase and shared with the other front ends.
 */
public final class HdfsContentStore {
    /** At this age, a file that was not kept belongs to a front end that terminated. */
    private static final Duration OTHERS_AGE = Duration.ofDays(1);

    /** Fewer than for local files, because the client has two threads for each file it writes. */
    private static final int OPEN_MAX = 512;

    private static final String HBASE_DEFAULTS = "hbase-default.xml";

    private HdfsContentStore() {}

    /**
     * Opens the store, and creates its folder if it does not exist. With Kerberos, it uses the login of the
     * engine.
     *
     * @throws EngineException if that fails, with a message for the operator
     */
    public static ContentStore open(HBaseEngineConfig config, InstantSource clock) {
        Configuration configuration = HBaseEngine.configuration(config);
        Path folder = folder(configuration, config);
        try {
            return new FileSystemContentStore(
                    HdfsContentFileSystem.open(folder, configuration, config.isSynced()),
                    FileSystemContentStore.Settings.alone()
                            .withOpenMax(OPEN_MAX)
                            .withOthers(OTHERS_AGE, config.lateWriterGrace()),
                    clock);
        } catch (IOException | IllegalArgumentException e) {
            throw new EngineException(
                    EngineException.Kind.UNAVAILABLE,
                    "The folder " + folder + " for contents cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /** Returns the configured folder, or one beside the folder of HBase, where only HBase may create files. */
    static Path folder(Configuration configuration, HBaseEngineConfig config) {
        if (config.cluster().contentFolder().isPresent()) {
            return new Path(config.cluster().contentFolder().get());
        }
        Path root = new Path(rootOfHBase(configuration)
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "Where contents are to be is not known: it takes --hbase-conf DIR with an hbase-site.xml that"
                                + " sets hbase.rootdir, or --hbase-content-dir URI.")));
        Path beside = root.getParent() == null ? root : root.getParent();
        return new Path(new Path(beside, "trestle"), config.cluster().namespace());
    }

    /** Returns the configured root of HBase; empty for the built-in default, which is a local folder. */
    private static Optional<String> rootOfHBase(Configuration configuration) {
        String[] sources = configuration.getPropertySources(HConstants.HBASE_DIR);
        boolean isConfigured =
                sources != null && sources.length > 0 && !sources[sources.length - 1].contains(HBASE_DEFAULTS);
        return isConfigured ? Optional.ofNullable(configuration.get(HConstants.HBASE_DIR)) : Optional.empty();
    }
}
