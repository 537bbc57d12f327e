package dev.trestle.junit;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.engine.rocksdb.RocksEngine;
import dev.trestle.engine.rocksdb.RocksEngineConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.sockets.SocketTransport;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An in-process server with one empty account, on free ports of the loopback interface. Keeps data in memory, and large blobs in
 * temporary files, which are deleted on close. Thread-safe.
 *
 * <pre>{@code
 * try (Trestle server = Trestle.start()) {
 *     TableServiceClient tables =
 *             new TableServiceClientBuilder().connectionString(server.connectionString()).buildClient();
 * }
 * }</pre>
 */
public final class Trestle implements AutoCloseable {
    private static final String ACCOUNT = "testaccount";
    private static final int KEY_BYTES = 64;
    private static final long MEMORY_BYTES = 32L << 20;

    private final RocksEngine engine;
    private final TrestleServer server;
    private final String key;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Trestle(RocksEngine engine, TrestleServer server, String key) {
        this.engine = engine;
        this.server = server;
        this.key = key;
    }

    /** Starts a server with a random account key; returns when it accepts requests. */
    public static Trestle start() {
        TrestleServer.warmUp(SocketTransport.AUTO);
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        String key = Base64.getEncoder().encodeToString(bytes);
        RocksEngine engine =
                RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(MEMORY_BYTES), InstantSource.system());
        try {
            Accounts accounts = Accounts.of(List.of(Account.of(ACCOUNT, key)));
            ServerConfig config = new ServerConfig("127.0.0.1", accounts, Optional.empty(), true)
                    .withPorts(Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0));
            Storage storage = new Storage(engine, EngineTelemetry.NONE, LocalContentStore::openTemporary);
            return new Trestle(engine, TrestleServer.start(config, storage), key);
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    public String accountName() {
        return ACCOUNT;
    }

    /** Returns the account key, in Base64. */
    public String accountKey() {
        return key;
    }

    /** Returns the endpoints by the names in connection strings: {@code Table}, {@code Queue} and {@code Blob}. */
    public Map<String, String> endpoints() {
        Map<String, String> endpoints = new TreeMap<>();
        server.ports()
                .forEach((service, port) -> endpoints.put(name(service), "http://127.0.0.1:" + port + "/" + ACCOUNT));
        return endpoints;
    }

    /** Returns the endpoint of {@code Table}, {@code Queue} or {@code Blob}. */
    public String endpoint(String service) {
        String endpoint = endpoints().get(service);
        if (endpoint == null) {
            throw new IllegalArgumentException("Unknown service " + service + "; the services are "
                    + endpoints().keySet());
        }
        return endpoint;
    }

    private static String name(Service service) {
        String lower = service.name().toLowerCase(Locale.ROOT);
        return lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1);
    }

    /** Returns the connection string for clients of the official SDKs. */
    public String connectionString() {
        StringBuilder text = new StringBuilder("DefaultEndpointsProtocol=http;AccountName=")
                .append(ACCOUNT)
                .append(";AccountKey=")
                .append(key)
                .append(';');
        endpoints()
                .forEach((service, endpoint) -> text.append(service)
                        .append("Endpoint=")
                        .append(endpoint)
                        .append(';'));
        return text.toString();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (engine) {
                server.close();
            }
        }
    }
}
