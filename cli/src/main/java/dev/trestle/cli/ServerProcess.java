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
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a server until the process is stopped. */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private static final Pattern NAMES_OPTION = Pattern.compile("--(table|queue|blob|admin)-port");
    private static final String SOCKET_BUFFERS_PROPERTY = "io.netty.maxDirectMemory";

    private final PrintStream out;
    private final long startedNanos;

    /** @param startedNanos when the process started, as {@link System#nanoTime} */
    ServerProcess(PrintStream out, long startedNanos) {
        this.out = out;
        this.startedNanos = startedNanos;
    }

    /**
     * Starts the server and blocks until a signal ends the process. Returns only by exception.
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

    /** Limits the socket buffers. Netty reads the property once; its default is the size of the heap. */
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
        settings.put("durability", config.durability().name().toLowerCase(Locale.ROOT));
        ServeConfig.EngineLimits limits = config.engineLimits();
        settings.put("max-queued-commits", Integer.toString(limits.commitsQueuedMax()));
        settings.put("max-queued-scans", Integer.toString(limits.scansQueuedMax()));
        settings.put("max-queued-reads", Integer.toString(limits.readsQueuedMax()));
        limits.scanThreads().ifPresent(count -> settings.put("scan-threads", Integer.toString(count)));
        limits.readThreads().ifPresent(count -> settings.put("read-threads", Integer.toString(count)));
        return openCluster(config.engine().name().toLowerCase(Locale.ROOT), settings);
    }

    /** Opens an engine that the launcher puts on the class path. */
    static Provided openCluster(String name, Map<String, String> settings) {
        EngineProvider provider = ServiceLoader.load(EngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The engine " + name + " is not on the class path. The launcher puts it there when "
                                + "--engine " + name + " is on its command line or TRESTLE_ENGINE=" + name
                                + " in the environment."));
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

    /** Adds how to choose another port, unless the server has named the option already. */
    static String withAdvice(String sentence) {
        boolean portTaken = sentence.toLowerCase(Locale.ROOT).contains("in use");
        return portTaken && !NAMES_OPTION.matcher(sentence).find()
                ? sentence + " Choose another port with --table-port, or 0 for any free one."
                : sentence;
    }

    /** Runs in the shutdown hook. Closes the engine even if the server fails to close. */
    private void stop(TrestleServer server, Engine engine) {
        try (engine) {
            server.close();
        } catch (RuntimeException e) {
            LOG.error("The server did not stop cleanly", e);
        }
        out.println("Stopped.");
        out.flush();
    }

    /** The server cannot be started. The message is shown to the user. */
    static final class StartException extends RuntimeException {
        StartException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }
}
