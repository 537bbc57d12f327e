package dev.trestle.server;

import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How to serve.
 *
 * @param tablePort 0 for any free port
 * @param explainRefusals whether a refusal tells the caller which check failed, for development only
 * @param admin where health and metrics are served, if they are
 * @param accessLog how requests are logged, if they are
 */
public record ServerConfig(
        String host,
        int tablePort,
        Accounts accounts,
        Optional<TlsFiles> tls,
        boolean explainRefusals,
        HttpConfig http,
        Optional<AdminConfig> admin,
        Optional<AccessLogConfig> accessLog) {

    /** Within the default limits, watched by nobody. */
    public ServerConfig(
            String host, int tablePort, Accounts accounts, Optional<TlsFiles> tls, boolean explainRefusals) {
        this(host, tablePort, accounts, tls, explainRefusals, HttpConfig.DEFAULT, Optional.empty(), Optional.empty());
    }

    /** A certificate chain and its private key, both PEM. */
    public record TlsFiles(Path certificate, Path key) {}
}
