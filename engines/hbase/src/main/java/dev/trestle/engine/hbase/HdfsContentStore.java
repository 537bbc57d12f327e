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

/** Opens the store of contents of a cluster, shared with the other front ends, on the file system that HBase stands on. */
public final class HdfsContentStore {
    /** By then a front end that wrote a file has either kept it or gone away. */
    private static final Duration OTHERS_AGE = Duration.ofDays(1);

    /** Fewer than there could be of local files: the client has two threads for each file it writes. */
    private static final int OPEN_MAX = 512;

    private static final String HBASE_DEFAULTS = "hbase-default.xml";

    private HdfsContentStore() {}

    /**
     * Opens the store, making its folder at the first time. With Kerberos, as the user that opening the engine logged in.
     *
     * @throws EngineException with a sentence for the person who starts the server when that cannot be done
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

    /** Beside what HBase has, which nobody else may put files into, unless another is chosen. */
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

    /** Not the default, which is a folder of this machine, whatever machine the cluster is on. */
    private static Optional<String> rootOfHBase(Configuration configuration) {
        String[] sources = configuration.getPropertySources(HConstants.HBASE_DIR);
        boolean told = sources != null && sources.length > 0 && !sources[sources.length - 1].contains(HBASE_DEFAULTS);
        return told ? Optional.ofNullable(configuration.get(HConstants.HBASE_DIR)) : Optional.empty();
    }
}
