package dev.trestle.server.auth;

import java.nio.file.Path;

/**
 * Which bearer tokens this server accepts.
 *
 * @param keys the file of the issuer's public keys, a JSON Web Key Set
 * @param issuer the required {@code iss}
 * @param audience the required {@code aud}, with or without a slash at its end
 */
public record BearerConfig(Path keys, String issuer, String audience) {

    /** @throws IllegalArgumentException if a text is blank, because tokens without the claim would match it */
    public BearerConfig {
        if (issuer.isBlank() || audience.isBlank()) {
            throw new IllegalArgumentException("Bearer tokens need an issuer and an audience.");
        }
    }
}
