package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;

/** Opens the engine as the options of the server say. */
public final class HBaseEngineProvider implements EngineProvider {
    @Override
    public String name() {
        return "hbase";
    }

    @Override
    public Provided open(Map<String, String> settings, InstantSource clock) {
        HBaseEngine engine = HBaseEngine.open(config(settings), clock);
        return new Provided(engine, engine.telemetry(), engine::load);
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
            config = config.withNamespace(settings.get("hbase-namespace"));
        }
        if (settings.containsKey("durability")) {
            config = config.withDurability(HBaseEngineConfig.Durability.valueOf(
                    settings.get("durability").toUpperCase(Locale.ROOT)));
        }
        if (settings.containsKey("max-queued-commits")) {
            config = config.withCommitsQueuedMax(Integer.parseInt(settings.get("max-queued-commits")));
        }
        return config;
    }
}
