package dev.trestle.cli;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineProvider;
import dev.trestle.engine.EngineProvider.Provided;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.engine.rocksdb.RocksEngine;
import dev.trestle.engine.rocksdb.RocksEngineConfig;
import dev.trestle.server.ServerStartException;
import dev.trestle.server.Storage;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.pipeline.DirectBufferPool;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one server on one engine until the process is told to stop. */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private static final String SOCKET_BUFFERS_PROPERTY = "io.netty.maxDirectMemory";

    private final PrintStream out;
    private final long startedNanos;

    /** @param startedNanos when the process began its work, as {@link System#nanoTime} */
    ServerProcess(PrintStream out, long startedNanos) {
        this.out = out;
        this.startedNanos = startedNanos;
    }

    /**
     * Starts and then waits for the end of the process, which a signal brings about; returns only by exception.
     *
     * @throws StartException if the engine or the server cannot be started
     */
    void run(ServeConfig config) throws InterruptedException {
        Logging.setLevel(config.logLevel());
        LOG.debug("Configuration: {}", config);
        MemoryBudget memory = MemoryBudget.of(config.memoryBytes(), MemoryBudget.heapOfThisProcess());
        memory.check(config.limits());
        boundSocketBuffers();
        TrestleServer.warmUp(config.transport());
        Storage opened = openEngine(config, memory);
        TrestleServer server = startServer(config, opened);
        Engine engine = opened.engine();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, engine), "stop"));
        new Banner(config, memory, server.ports(), server.adminPort()).lines().forEach(out::println);
        out.println(
                Banner.ready(Duration.ofNanos(System.nanoTime() - startedNanos).toMillis() / 1000.0));
        out.flush();
        new CountDownLatch(1).await();
    }

    /** Netty reads this once, when it is first used, and would else allow as much again as the heap. */
    private static void boundSocketBuffers() {
        if (System.getProperty(SOCKET_BUFFERS_PROPERTY) == null) {
            System.setProperty(
                    SOCKET_BUFFERS_PROPERTY, Long.toString(MemoryBudget.SOCKET_BYTES - DirectBufferPool.BYTES));
        }
    }

    private static Storage openEngine(ServeConfig config, MemoryBudget memory) {
        try {
            return switch (config.engine()) {
                case ROCKSDB -> {
                    RocksEngine engine = RocksEngine.open(rocksConfig(config, memory), InstantSource.system());
                    yield new Storage(engine, engine.telemetry(), () -> openContents(config));
                }
                case HBASE -> {
                    Provided cluster = openCluster(config);
                    yield new Storage(cluster.engine(), cluster.telemetry(), cluster.content());
                }
            };
        } catch (EngineException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static ContentStore openContents(ServeConfig config) {
        boolean synced = config.durability() == ServeConfig.Durability.SYNCED;
        return config.data()
                .map(folder -> LocalContentStore.open(folder, synced))
                .orElseGet(LocalContentStore::openTemporary);
    }

    private static Provided openCluster(ServeConfig config) {
        Map<String, String> settings = new TreeMap<>(config.clusterSettings());
        settings.put(ServeOption.DURABILITY.key(), config.durability().name().toLowerCase(Locale.ROOT));
        ServeConfig.EngineLimits limits = config.engineLimits();
        settings.put(ServeOption.MAX_QUEUED_COMMITS.key(), Integer.toString(limits.commitsQueuedMax()));
        settings.put(ServeOption.MAX_QUEUED_SCANS.key(), Integer.toString(limits.scansQueuedMax()));
        settings.put(ServeOption.MAX_QUEUED_READS.key(), Integer.toString(limits.readsQueuedMax()));
        limits.scanThreads().ifPresent(count -> settings.put(ServeOption.SCAN_THREADS.key(), Integer.toString(count)));
        limits.readThreads().ifPresent(count -> settings.put(ServeOption.READ_THREADS.key(), Integer.toString(count)));
        return openCluster(ServeConfigReader.word(config.engine()), settings);
    }

    /** Opens an engine that the launcher has to have put on the class path. */
    static Provided openCluster(String name, Map<String, String> settings) {
        EngineProvider provider = ServiceLoader.load(EngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The engine " + name + " is not on the class path. The launcher puts it there when "
                                + ServeOption.ENGINE.flag() + " " + name + " is on its command line or "
                                + ServeOption.ENGINE.variable() + "=" + name + " in the environment."));
        return provider.open(settings, InstantSource.system());
    }

    static RocksEngineConfig rocksConfig(ServeConfig config, MemoryBudget memory) {
        RocksEngineConfig.Durability durability = switch (config.durability()) {
            case SYNCED -> RocksEngineConfig.Durability.SYNCED;
            case BUFFERED -> RocksEngineConfig.Durability.BUFFERED;
        };
        ServeConfig.EngineLimits limits = config.engineLimits();
        RocksEngineConfig suggested = config.data().map(RocksEngineConfig::at).orElseGet(RocksEngineConfig::inMemory);
        return suggested
                .withDurability(durability)
                .withMemoryBytes(memory.engineBytes())
                .withRowCacheBytes(memory.rowCacheBytes(config.limits()))
                .withQueues(
                        limits.commitsQueuedMax(),
                        limits.commitBytesQueuedMax(),
                        limits.scansQueuedMax(),
                        limits.readsQueuedMax())
                .withThreads(
                        limits.scanThreads().orElse(suggested.scanThreads()),
                        limits.readThreads().orElse(suggested.readThreads()));
    }

    private static TrestleServer startServer(ServeConfig config, Storage opened) {
        boolean started = false;
        try {
            TrestleServer server = TrestleServer.start(config.toServerConfig(), opened);
            started = true;
            return server;
        } catch (EngineException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (ServerStartException e) {
            throw new StartException(withAdvice(String.valueOf(e.getMessage())), e);
        } finally {
            if (!started) {
                opened.engine().close();
            }
        }
    }

    /** The server knows the port but not by which option it was chosen. */
    static String withAdvice(String sentence) {
        boolean portTaken = sentence.toLowerCase(Locale.ROOT).contains("in use");
        if (!portTaken
                || sentence.contains(ServeOption.TABLE_PORT.flag())
                || sentence.contains(ServeOption.QUEUE_PORT.flag())
                || sentence.contains(ServeOption.BLOB_PORT.flag())
                || sentence.contains(ServeOption.ADMIN_PORT.flag())) {
            return sentence;
        }
        return sentence + " Choose another port with " + ServeOption.TABLE_PORT.flag() + ", or 0 for any free one.";
    }

    /** Runs in the shutdown hook: each step is tried even when the one before failed. */
    private void stop(TrestleServer server, Engine engine) {
        try (engine) {
            server.close();
        } catch (RuntimeException e) {
            LOG.error("The server did not stop cleanly", e);
        }
        out.println("Stopped.");
        out.flush();
    }

    /** The server cannot be started here and now; the message is the sentence the user reads. */
    static final class StartException extends RuntimeException {
        StartException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }
}
