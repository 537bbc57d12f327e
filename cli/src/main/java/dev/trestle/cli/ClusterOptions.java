package dev.trestle.cli;

import dev.trestle.engine.EngineProvider.Provided;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options of all commands that use an HBase cluster. */
final class ClusterOptions {
    static final String PREFIX = "--hbase-";
    static final String QUORUM = "hbase-quorum";
    static final String NAMESPACE = "hbase-namespace";
    static final String CONF = "hbase-conf";
    static final String CONTENT_DIR = "hbase-content-dir";

    private static final String NAMESPACE_DEFAULT = "trestle";

    @Option(names = "--" + QUORUM, paramLabel = "HOST:PORT[,HOST]", scope = ScopeType.INHERIT)
    private Optional<String> quorum;

    @Option(names = "--" + NAMESPACE, paramLabel = "NAME", scope = ScopeType.INHERIT)
    private Optional<String> namespace;

    @Option(names = "--" + CONF, paramLabel = "DIR", scope = ScopeType.INHERIT)
    private Optional<String> conf;

    @Option(names = "--" + CONTENT_DIR, paramLabel = "URI", scope = ScopeType.INHERIT)
    private Optional<String> contentDir;

    /** Provides these options from the environment, for commands whose other options are not there. */
    static IDefaultValueProvider fromEnvironment(Map<String, String> environment) {
        return argument ->
                argument instanceof OptionSpec option && option.longestName().startsWith(PREFIX)
                        ? environment.get(SettingsProvider.variable(option))
                        : null;
    }

    /** Returns whether content that is too large for rows can be stored. */
    boolean hasPlaceForContent() {
        return conf.isPresent() || contentDir.isPresent();
    }

    /** Refuses these options for another engine. */
    void refuse(SettingsProvider settings) {
        given().keySet().stream().findFirst().ifPresent(key -> {
            throw new ConfigException(settings.origin("--" + key) + " needs --engine hbase beside it.");
        });
    }

    /** Returns the settings of the engine by their names. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(given());
        settings.putIfAbsent(NAMESPACE, NAMESPACE_DEFAULT);
        return settings;
    }

    private Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        quorum.ifPresent(text -> given.put(QUORUM, text));
        namespace.ifPresent(text -> given.put(NAMESPACE, text));
        conf.ifPresent(text -> given.put(CONF, text));
        contentDir.ifPresent(text -> given.put(CONTENT_DIR, text));
        return given;
    }

    /** Opens the engine of the cluster. */
    Provided open() {
        return ServerProcess.openCluster("hbase", settings());
    }
}
