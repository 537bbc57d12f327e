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
 * How to serve.
 *
 * @param ports the services to serve, each with its port, 0 for any free one
 * @param explainRefusals whether a refusal tells the caller which check failed, for development only
 * @param admin where health and metrics are served, if they are
 * @param accessLog how requests are logged, if they are
 * @param bearer whose bearer tokens are accepted, if any
 * @param transport how sockets are got at
 * @param bearerTenant where clients without credentials are sent for a token
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

    /** A tenant that is none: SDKs require the form, and without an issuer there is nobody to ask for tokens. */
    public static final UUID NO_TENANT = new UUID(0, 0);

    /** Any free port for each service. */
    public static final Map<Service, Integer> FREE_PORTS = Map.of(Service.TABLE, 0, Service.QUEUE, 0);

    public ServerConfig {
        ports = Map.copyOf(ports);
    }

    /** A server that names no tenant. */
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

    /** On any free ports, within the default limits, watched by nobody. */
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

    /** The same with other services, or at other ports. */
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
