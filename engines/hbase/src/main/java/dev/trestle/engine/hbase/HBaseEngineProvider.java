package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;

/** Opens the engine as the options of the server say. */
public final class HBaseEngineProvider implements EngineProvider {
    @Override
    public String name() {
        return "hbase";
    }

    @Override
    public Provided open(Map<String, String> settings, InstantSource clock) {
        HBaseEngineConfig config = config(settings);
        HBaseEngine engine = HBaseEngine.open(config, clock);
        return new Provided(engine, engine.telemetry(), engine::load, () -> HdfsContentStore.open(config, clock));
    }

    static HBaseEngineConfig config(Map<String, String> settings) {
        String quorum = settings.get("hbase-quorum");
        String folder = settings.get("hbase-conf");
        if (quorum == null && folder == null) {
            throw new EngineException(
                    EngineException.Kind.UNAVAILABLE,
                    "The HBase engine needs --hbase-quorum HOST:PORT, where the cluster's ZooKeeper is, or --hbase-conf"
                            + " DIR with its hbase-site.xml.");
        }
        HBaseEngineConfig config = quorum == null ? HBaseEngineConfig.byConfiguration() : HBaseEngineConfig.at(quorum);
        if (folder != null) {
            if (!Files.isReadable(Path.of(folder, "hbase-site.xml"))) {
                throw new EngineException(
                        EngineException.Kind.UNAVAILABLE, "There is no hbase-site.xml to be read in " + folder + ".");
            }
            config = config.withConfiguration(Path.of(folder));
        }
        if (settings.containsKey("hbase-namespace")) {
            config = config.withNamespace(namespace(settings.get("hbase-namespace")));
        }
        if (settings.containsKey("hbase-content-dir")) {
            config = config.withContentFolder(settings.get("hbase-content-dir"));
        }
        if (settings.containsKey("durability")) {
            config = config.withDurability(durability(settings.get("durability")));
        }
        return config.withLimits(limits(settings));
    }

    private static HBaseEngineConfig.Limits limits(Map<String, String> settings) {
        HBaseEngineConfig.Limits otherwise = HBaseEngineConfig.Limits.DEFAULT;
        return new HBaseEngineConfig.Limits(
                count(settings, "max-queued-commits", otherwise.commitsQueuedMax()),
                count(settings, "read-threads", otherwise.readsAtOnceMax()),
                count(settings, "max-queued-reads", otherwise.readsQueuedMax()),
                count(settings, "scan-threads", otherwise.scansAtOnceMax()),
                count(settings, "max-queued-scans", otherwise.scansQueuedMax()));
    }

    private static String namespace(String text) {
        try {
            TableName.isLegalNamespaceName(text.getBytes(StandardCharsets.UTF_8));
            return text;
        } catch (IllegalArgumentException e) {
            throw wrong("hbase-namespace", "takes letters, digits and underscores", text);
        }
    }

    private static HBaseEngineConfig.Durability durability(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "synced" -> HBaseEngineConfig.Durability.SYNCED;
            case "buffered" -> HBaseEngineConfig.Durability.BUFFERED;
            default -> throw wrong("durability", "is synced or buffered", text);
        };
    }

    private static int count(Map<String, String> settings, String option, int otherwise) {
        String text = settings.get(option);
        if (text == null) {
            return otherwise;
        }
        try {
            int count = Integer.parseInt(text);
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw wrong(option, "takes a number above zero", text);
    }

    private static EngineException wrong(String option, String rule, String text) {
        return new EngineException(
                EngineException.Kind.UNAVAILABLE, "--" + option + " " + rule + ", not " + text + ".");
    }
}
