package dev.trestle.server.auth.jwt;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Optional;

/**
 * How a token may be signed. All of them need a private key: with one that needs a shared secret, the public key that
 * everybody knows would do to sign, and with none no key at all.
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

    /** The one for keys of a type, as JSON Web Keys call it. */
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
            // A signature of a wrong length or form is answered so.
            return false;
        }
    }
}
