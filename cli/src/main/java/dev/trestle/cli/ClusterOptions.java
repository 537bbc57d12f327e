package dev.trestle.cli;

import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options of all commands that use an HBase cluster. */
final class ClusterOptions {
    static final String PREFIX = "--hbase-";
    private static final String QUORUM = PREFIX + "quorum";
    private static final String NAMESPACE = PREFIX + "namespace";
    private static final String CONF = PREFIX + "conf";
    private static final String CONTENT_DIR = PREFIX + "content-dir";

    @Option(names = QUORUM, paramLabel = "HOST:PORT[,HOST]", scope = ScopeType.INHERIT)
    private Optional<String> quorum;

    @Option(names = NAMESPACE, paramLabel = "NAME", scope = ScopeType.INHERIT)
    private Optional<String> namespace;

    @Option(names = CONF, paramLabel = "DIR", scope = ScopeType.INHERIT)
    private Optional<Path> conf;

    @Option(names = CONTENT_DIR, paramLabel = "URI", scope = ScopeType.INHERIT)
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
        refuse(settings, QUORUM, quorum);
        refuse(settings, NAMESPACE, namespace);
        refuse(settings, CONF, conf);
        refuse(settings, CONTENT_DIR, contentDir);
    }

    private static void refuse(SettingsProvider settings, String option, Optional<?> value) {
        if (value.isPresent()) {
            throw new ConfigException(settings.origin(option) + " needs --engine hbase beside it.");
        }
    }

    /** Returns the cluster that the options name. */
    ClusterConfig cluster() {
        return new ClusterConfig(quorum, conf, namespace.orElse(ClusterConfig.DEFAULT_NAMESPACE), contentDir);
    }

    /** Opens the storage of the cluster. */
    Storage open() {
        return ServerProcess.openStorage(EngineName.HBASE, StorageConfig.in(cluster()));
    }
}
