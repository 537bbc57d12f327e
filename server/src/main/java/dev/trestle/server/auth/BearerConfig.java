package dev.trestle.server.auth;

import java.nio.file.Path;

/**
 * Whose bearer tokens open this server.
 *
 * @param keys file of the issuer's public keys, a JSON Web Key Set
 * @param issuer the {@code iss} that a token must have
 * @param audience an {@code aud} that a token must have, with or without a slash at its end
 */
public record BearerConfig(Path keys, String issuer, String audience) {

    /** @throws IllegalArgumentException when a text is blank, which would be that of a token without the claim */
    public BearerConfig {
        if (issuer.isBlank() || audience.isBlank()) {
            throw new IllegalArgumentException("Bearer tokens need an issuer and an audience.");
        }
    }
}
