package dev.trestle.server;

import dev.trestle.catalogue.Service;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Configuration of a server.
 *
 * @param ports the services with their ports, 0 for any free port
 * @param explainRefusals whether an authentication error names the failed check, for development only
 * @param admin the admin port; empty for none
 * @param accessLog the access log; empty for none
 * @param bearer the accepted bearer tokens; empty for none
 * @param transport the I/O transport
 * @param bearerTenant the tenant in the challenge to clients without credentials
 */
public record ServerConfig(
        String host,
        Map<Service, Integer> ports,
        Accounts accounts,
        Optional<TlsFiles> tls,
        boolean explainRefusals,
        HttpConfig http,
        Optional<AdminConfig> admin,
        Optional<AccessLogConfig> accessLog,
        Optional<BearerConfig> bearer,
        BlobConfig blobs,
        SocketTransport transport,
        UUID bearerTenant) {

    /** A placeholder tenant for servers without an issuer, because SDKs require the form of a tenant id. */
    public static final UUID NO_TENANT = new UUID(0, 0);

    /** Any free port for each service. */
    public static final Map<Service, Integer> FREE_PORTS = Map.of(Service.TABLE, 0, Service.QUEUE, 0);

    public ServerConfig {
        ports = Map.copyOf(ports);
    }

    /** Creates a configuration without a tenant. */
    public ServerConfig(
            String host,
            Map<Service, Integer> ports,
            Accounts accounts,
            Optional<TlsFiles> tls,
            boolean explainRefusals,
            HttpConfig http,
            Optional<AdminConfig> admin,
            Optional<AccessLogConfig> accessLog,
            Optional<BearerConfig> bearer,
            BlobConfig blobs,
            SocketTransport transport) {
        this(host, ports, accounts, tls, explainRefusals, http, admin, accessLog, bearer, blobs, transport, NO_TENANT);
    }

    /** Creates a configuration with free ports and default limits, without admin port and access log. */
    public ServerConfig(String host, Accounts accounts, Optional<TlsFiles> tls, boolean explainRefusals) {
        this(
                host,
                FREE_PORTS,
                accounts,
                tls,
                explainRefusals,
                HttpConfig.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                BlobConfig.DEFAULT,
                SocketTransport.AUTO);
    }

    /** Returns this configuration with other services or ports. */
    public ServerConfig withPorts(Map<Service, Integer> changed) {
        return new ServerConfig(
                host,
                changed,
                accounts,
                tls,
                explainRefusals,
                http,
                admin,
                accessLog,
                bearer,
                blobs,
                transport,
                bearerTenant);
    }

    /** A certificate chain and its private key, both PEM. */
    public record TlsFiles(Path certificate, Path key) {}
}
