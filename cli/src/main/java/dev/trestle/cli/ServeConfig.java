package dev.trestle.cli;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.StorageConfig;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * All that {@code trestle serve} was asked for, checked: holding one means that the server may be started with it.
 *
 * @param data the folder of the data; empty when they are kept in memory
 * @param ports of the services that are served, 0 for any free one
 * @param cluster where the data is if an engine outside of this process stores it
 * @param memoryBytes what the whole process may take
 * @param admin where health and metrics are served, if they are
 * @param accessLog how requests are logged, if they are
 * @param bearer whose bearer tokens are accepted, if any
 * @param bearerTenant where clients without credentials are sent for a token
 * @param transport how sockets are got at
 */
record ServeConfig(
        Optional<Path> data,
        ListenAddress address,
        Map<Service, Integer> ports,
        List<AccountKeys> accounts,
        Durability durability,
        EngineName engine,
        Optional<ClusterConfig> cluster,
        Optional<TlsFiles> tls,
        boolean allowDevelopmentKey,
        LogLevel logLevel,
        long memoryBytes,
        HttpConfig limits,
        EngineLimits engineLimits,
        Optional<Admin> admin,
        Optional<AccessLogConfig> accessLog,
        Optional<BearerConfig> bearer,
        UUID bearerTenant,
        BlobConfig blobs,
        SocketTransport transport) {

    /**
     * Where health and metrics are served.
     *
     * @param port 0 for any free one
     */
    record Admin(ListenAddress address, int port) {}

    /** Which engine stores the rows. */
    enum EngineName {
        ROCKSDB,
        HBASE
    }

    /** How much is logged. */
    enum LogLevel {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** The ports that every SDK knows. */
    static final Map<Service, Integer> USUAL_PORTS = Map.of(
            Service.TABLE,
            usualPort(ServeOption.TABLE_PORT),
            Service.QUEUE,
            usualPort(ServeOption.QUEUE_PORT),
            Service.BLOB,
            usualPort(ServeOption.BLOB_PORT));

    private static int usualPort(ServeOption option) {
        return Integer.parseInt(option.defaultText().orElseThrow());
    }

    ServeConfig {
        ports = Map.copyOf(ports);
        accounts = List.copyOf(accounts);
        if (accounts.isEmpty()) {
            throw new ConfigException("No account is given; give one with --account NAME:KEY.");
        }
        Set<String> names = new HashSet<>();
        for (AccountKeys account : accounts) {
            if (!names.add(account.name())) {
                throw new ConfigException("The account " + account.name()
                        + " is given twice; give both its keys at once, as NAME:KEY:KEY2.");
            }
        }
        if (!address.loopback() && !allowDevelopmentKey && usesDevelopmentKey(accounts)) {
            throw new ConfigException(
                    "The well-known development key would open this server to everybody who can reach "
                            + address.host() + "; give an account of your own with --account NAME:KEY, or listen on"
                            + " 127.0.0.1, or accept the risk with --allow-development-key.");
        }
    }

    StorageConfig toStorageConfig(MemoryBudget memory) {
        return new StorageConfig(
                data, durability, engineLimits, memory.engineBytes(), memory.rowCacheBytes(limits), cluster);
    }

    ServerConfig toServerConfig() {
        return new ServerConfig(
                address.host(),
                ports,
                serverAccounts(accounts),
                tls,
                explainRefusals(),
                limits,
                admin.map(where -> new AdminConfig(where.address().host(), where.port(), OptionalLong.of(memoryBytes))),
                accessLog,
                bearer,
                blobs,
                transport,
                bearerTenant);
    }

    /** A refusal may say what was expected where the only secret is public and the caller is on this machine. */
    private boolean explainRefusals() {
        return address.loopback() && usesDevelopmentKey(accounts);
    }

    private static boolean usesDevelopmentKey(List<AccountKeys> accounts) {
        return serverAccounts(accounts).usesDevelopmentKey();
    }

    private static Accounts serverAccounts(List<AccountKeys> accounts) {
        return Accounts.of(accounts.stream().map(AccountKeys::toAccount).toList());
    }
}
