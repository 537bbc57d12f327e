package dev.trestle.server;

import dev.trestle.server.auth.Accounts;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How to serve.
 *
 * @param tablePort 0 for any free port
 * @param explainRefusals whether a refusal tells the caller which check failed, for development only
 */
public record ServerConfig(
        String host, int tablePort, Accounts accounts, Optional<TlsFiles> tls, boolean explainRefusals) {

    /** A certificate chain and its private key, both PEM. */
    public record TlsFiles(Path certificate, Path key) {}
}
