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
 * The validated configuration of {@code trestle serve}.
 *
 * @param data the data folder; empty for data in memory or in a cluster
 * @param ports of the services to serve, 0 for any free one
 * @param cluster where the data is; empty for an embedded engine
 * @param memoryBytes the memory of the whole process
 * @param admin where health and metrics are served, if at all
 * @param accessLog how requests are logged, if at all
 * @param bearer the issuer whose bearer tokens are accepted, if any
 * @param bearerTenant the tenant that the 401 challenge names
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
     * The admin port.
     *
     * @param port 0 for any free one
     */
    record Admin(ListenAddress address, int port) {}

    /** The storage engines. */
    enum EngineName {
        ROCKSDB,
        HBASE
    }

    /** The log levels. */
    enum LogLevel {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** Returns the port of a service that {@code UseDevelopmentStorage=true} means. */
    static int usualPort(Service service) {
        return switch (service) {
            case TABLE -> 10002;
            case QUEUE -> 10001;
            case BLOB -> 10000;
        };
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

    /** Returns the configuration of the storage engine. */
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

    /** Responses 403 may explain the expected signature if the key is public and only this machine can connect. */
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
