package dev.trestle.server.auth.jwt;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Optional;

/**
 * The accepted signature algorithms, which are all asymmetric. A symmetric one would let anybody sign with the public
 * key, and {@code none} would need no key at all.
 */
enum Algorithm {
    RS256("SHA256withRSA", "RSA"),
    ES256("SHA256withECDSAinP1363Format", "EC");

    private final String signatureName;
    private final String keyType;

    Algorithm(String signatureName, String keyType) {
        this.signatureName = signatureName;
        this.keyType = keyType;
    }

    static Optional<Algorithm> of(String name) {
        for (Algorithm algorithm : values()) {
            if (algorithm.name().equals(name)) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }

    /** Returns the algorithm for a key type, the {@code kty} of a JSON Web Key. */
    static Optional<Algorithm> ofKeyType(String type) {
        for (Algorithm algorithm : values()) {
            if (algorithm.keyType.equals(type)) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }

    boolean verify(PublicKey key, byte[] signed, byte[] signature) {
        try {
            Signature check = Signature.getInstance(signatureName);
            check.initVerify(key);
            check.update(signed);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            // Thrown for a signature of a wrong length or format.
            return false;
        }
    }
}
