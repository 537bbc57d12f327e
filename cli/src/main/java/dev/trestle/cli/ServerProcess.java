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

    /** Netty reads this once, when it is first used, and would else allow as much again as the heap. */
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
        String name = ServeConfigReader.word(engine);
        return StorageProvider.find(name)
                .orElseThrow(() -> new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The engine " + name + " is not on the class path. The launcher puts it there when "
                                + ServeOption.ENGINE.flag() + " " + name + " is on its command line or "
                                + ServeOption.ENGINE.variable() + "=" + name + " in the environment."))
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
