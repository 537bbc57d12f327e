package dev.trestle.cli;

import dev.trestle.server.ServerConfig;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.auth.BearerConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code trestle serve} for credentials and TLS. */
final class SecurityOptions {
    private static final String TLS_CERT = "--tls-cert";
    private static final String TLS_KEY = "--tls-key";
    private static final String BEARER_KEYS = "--bearer-keys";
    private static final String BEARER_ISSUER = "--bearer-issuer";
    private static final String BEARER_AUDIENCE = "--bearer-audience";

    @Option(names = "--account", paramLabel = "NAME:KEY[:KEY2]", converter = AccountKeys.Converter.class)
    private @Nullable List<AccountKeys> accounts;

    @Option(names = TLS_CERT, paramLabel = "FILE", converter = ServeValues.ReadableFile.class)
    private Optional<Path> certificate;

    @Option(names = TLS_KEY, paramLabel = "FILE", converter = ServeValues.ReadableFile.class)
    private Optional<Path> key;

    @Option(names = BEARER_KEYS, paramLabel = "FILE", converter = ServeValues.ReadableFile.class)
    private Optional<Path> bearerKeys;

    @Option(names = BEARER_ISSUER, paramLabel = "TEXT")
    private Optional<String> bearerIssuer;

    @Option(names = BEARER_AUDIENCE, paramLabel = "TEXT")
    private Optional<String> bearerAudience;

    @Option(names = "--bearer-tenant", hidden = true, paramLabel = "GUID")
    private Optional<UUID> bearerTenant;

    @Option(
            names = "--allow-development-key",
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false")
    boolean allowDevelopmentKey;

    /** Returns the accounts; empty if the option was given without any. */
    List<AccountKeys> accounts() {
        return accounts == null ? List.of(AccountKeys.DEVELOPMENT) : accounts;
    }

    Optional<TlsFiles> tls(SettingsProvider settings) {
        refusePart(settings, Map.of(TLS_CERT, certificate, TLS_KEY, key));
        return certificate.map(file -> new TlsFiles(file, key.orElseThrow()));
    }

    Optional<BearerConfig> bearer(SettingsProvider settings) {
        Map<String, Optional<?>> together = new LinkedHashMap<>();
        together.put(BEARER_KEYS, bearerKeys);
        together.put(BEARER_ISSUER, bearerIssuer);
        together.put(BEARER_AUDIENCE, bearerAudience);
        refusePart(settings, together);
        return bearerKeys.map(file -> new BearerConfig(file, bearerIssuer.orElseThrow(), bearerAudience.orElseThrow()));
    }

    /** Refuses some of several options that need each other. */
    private static void refusePart(SettingsProvider settings, Map<String, ? extends Optional<?>> together) {
        together.forEach((given, value) -> together.forEach((missing, other) -> {
            if (value.isPresent() && other.isEmpty()) {
                throw new ConfigException(settings.origin(given) + " needs " + missing + " beside it.");
            }
        }));
    }

    /** Returns the tenant that is given, else the GUID in the issuer's address, else the GUID of zeros. */
    UUID bearerTenant() {
        return bearerTenant
                .or(() -> bearerIssuer.flatMap(issuer -> ServeValues.GUID
                        .matcher(issuer)
                        .results()
                        .findFirst()
                        .map(MatchResult::group)
                        .map(UUID::fromString)))
                .orElse(ServerConfig.NO_TENANT);
    }
}
