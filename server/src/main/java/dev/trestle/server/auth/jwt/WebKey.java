package dev.trestle.server.auth.jwt;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Optional;

/** A public key and its algorithm. */
record WebKey(Algorithm algorithm, PublicKey key) {
    private static final int RSA_BITS_MIN = 2048;
    private static final String CURVE = "P-256";

    /**
     * Parses a JSON Web Key; returns empty if its use or algorithm is not supported.
     *
     * @throws IllegalArgumentException if the key is malformed
     */
    static Optional<WebKey> read(JsonObject json) {
        Optional<Algorithm> algorithm = json.text("kty").flatMap(Algorithm::ofKeyType);
        boolean forOther = algorithm.isEmpty()
                || !json.text("use").orElse("sig").equals("sig")
                || !json.text("alg")
                        .orElse(algorithm.get().name())
                        .equals(algorithm.get().name());
        if (forOther) {
            return Optional.empty();
        }
        try {
            return switch (algorithm.get()) {
                case RS256 -> Optional.of(new WebKey(Algorithm.RS256, rsa(json)));
                case ES256 ->
                    json.text("crv").equals(Optional.of(CURVE))
                            ? Optional.of(new WebKey(Algorithm.ES256, elliptic(json)))
                            : Optional.empty();
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("one of its keys cannot be used", e);
        }
    }

    private static PublicKey rsa(JsonObject json) throws GeneralSecurityException {
        BigInteger modulus = number(json, "n");
        if (modulus.bitLength() < RSA_BITS_MIN) {
            throw new IllegalArgumentException("an RSA key of it has less than " + RSA_BITS_MIN + " bits");
        }
        return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, number(json, "e")));
    }

    private static PublicKey elliptic(JsonObject json) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        ECPoint point = new ECPoint(number(json, "x"), number(json, "y"));
        return KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class)));
    }

    private static BigInteger number(JsonObject json, String name) {
        try {
            byte[] magnitude = Base64.getUrlDecoder().decode(json.text(name).orElse(""));
            if (magnitude.length > 0) {
                return new BigInteger(1, magnitude);
            }
        } catch (IllegalArgumentException e) {
            // Malformed base64url is reported like a missing value.
        }
        throw new IllegalArgumentException("a key of it has no " + name);
    }
}
