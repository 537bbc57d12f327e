package dev.trestle.cli;

import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.StorageProvider;
import dev.trestle.server.ServerStartException;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.pipeline.DirectBufferPool;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
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
        Storage opened = openStorage(config, memory);
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

    private static Storage openStorage(ServeConfig config, MemoryBudget memory) {
        try {
            return openStorage(config.engine(), config.toStorageConfig(memory));
        } catch (EngineException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Opens the storage of an engine.
     *
     * @throws EngineException if that fails, or if the launcher has not put the engine on the class path
     */
    static Storage openStorage(EngineName engine, StorageConfig config) {
        String name = engine.name().toLowerCase(Locale.ROOT);
        return StorageProvider.find(name)
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The engine " + name + " is not on the class path. The launcher puts it there when --engine "
                                + name + " is on its command line or TRESTLE_ENGINE=" + name + " in the environment."))
                .open(config, InstantSource.system());
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
