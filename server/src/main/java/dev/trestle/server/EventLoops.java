package dev.trestle.server;

import dev.trestle.catalogue.Service;
import dev.trestle.server.sockets.SocketTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.transport.Transport;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The event loops of a server, one per core and transport. Blobs may have another transport than the other
 * services, one that sends files.
 */
final class EventLoops {
    /** The number of event loops per transport. */
    static final int COUNT = Runtime.getRuntime().availableProcessors();

    private static final AtomicBoolean WARM = new AtomicBoolean();

    private final Vertx vertx;
    private final Vertx vertxForFiles;

    private EventLoops(Vertx vertx, Vertx vertxForFiles) {
        this.vertx = vertx;
        this.vertxForFiles = vertxForFiles;
    }

    /**
     * Starts event loops.
     *
     * @throws ServerStartException if the system does not support the transport
     */
    static EventLoops start(SocketTransport choice) {
        Transport transport = available(choice.choose(), choice);
        Transport forFiles = available(choice.chooseForFiles(), choice);
        Vertx vertx = vertx(transport);
        return new EventLoops(vertx, forFiles == transport ? vertx : vertx(forFiles));
    }

    private static Transport available(Transport transport, SocketTransport choice) {
        if (!transport.available()) {
            throw new ServerStartException(
                    "This system has no " + choice
                            + " for the server to use. Leave the choice to it with --transport auto.",
                    transport.unavailabilityCause());
        }
        return transport;
    }

    private static Vertx vertx(Transport transport) {
        // Without the directory for files from class paths, which this server does not use and which would stay
        // after a crash.
        FileSystemOptions files =
                new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
        VertxOptions options = new VertxOptions().setEventLoopPoolSize(COUNT).setFileSystemOptions(files);
        return Vertx.builder().with(options).withTransport(transport).build();
    }

    /** Loads the classes of the transports on a thread of its own, once per process. */
    static void warmUp(SocketTransport choice) {
        if (WARM.compareAndSet(false, true)) {
            Thread loading = new Thread(
                    () -> {
                        load(choice.choose());
                        load(choice.chooseForFiles());
                    },
                    "trestle-warm-up");
            loading.setDaemon(true);
            loading.start();
        }
    }

    private static void load(Transport transport) {
        if (transport.available()) {
            vertx(transport).close();
        }
    }

    /** Returns the event loops of everything but services. */
    Vertx vertx() {
        return vertx;
    }

    /** Returns the event loops of a service. */
    Vertx vertx(Service service) {
        return service == Service.BLOB ? vertxForFiles : vertx;
    }

    Future<?> close() {
        return Future.join(vertxForFiles.close(), vertx.close());
    }
}
