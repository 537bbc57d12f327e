package dev.trestle.cli;

import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.Durability;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code trestle serve} for the storage engine. */
final class StorageOptions {
    private static final String DATA = "--data";
    private static final String IN_MEMORY = "--in-memory";
    private static final Path DATA_DEFAULT = Path.of("trestle-data");

    @Option(names = DATA, paramLabel = "DIR")
    private Optional<Path> data;

    @Option(names = IN_MEMORY, arity = "0..1", fallbackValue = "true", paramLabel = "true|false")
    private boolean inMemory;

    @Option(names = "--durability", paramLabel = "synced|buffered", defaultValue = "synced")
    Durability durability;

    @Option(names = "--engine", paramLabel = "rocksdb|hbase", defaultValue = "rocksdb")
    EngineName engine;

    /** Returns the data folder; empty for data in memory or in a cluster. */
    Optional<Path> data(SettingsProvider settings) {
        if (engine == EngineName.HBASE && (inMemory || data.isPresent())) {
            throw new ConfigException(settings.origin(inMemory ? IN_MEMORY : DATA)
                    + " and --engine hbase contradict each other: the data are in the cluster. Give only one of them.");
        }
        if (inMemory && data.isPresent()) {
            throw new ConfigException(settings.origin(IN_MEMORY) + " and " + settings.origin(DATA)
                    + " contradict each other; give only one of them.");
        }
        return inMemory || engine == EngineName.HBASE ? Optional.empty() : data.or(() -> Optional.of(DATA_DEFAULT));
    }
}
