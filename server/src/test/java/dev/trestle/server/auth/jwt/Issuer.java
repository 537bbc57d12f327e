package dev.trestle.server.auth.jwt;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens and the keys to check them with, also ones that no issuer would. */
final class Issuer {
    static final KeyPair RSA = generate("RSA", 2048);
    static final KeyPair OTHER_RSA = generate("RSA", 2048);
    static final KeyPair EC = generateEc();

    private Issuer() {}

    static KeyPair generate(String type, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyPair generateEc() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A document of these keys. */
    static byte[] set(String... keys) {
        return ("{\"keys\":[" + String.join(",", keys) + "]}").getBytes(StandardCharsets.UTF_8);
    }

    static String rsaKey(String id, KeyPair pair) {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"" + id + "\",\"x5t\":\"" + id + "\",\"n\":\""
                + base64(magnitude(key.getModulus())) + "\",\"e\":\"" + base64(magnitude(key.getPublicExponent()))
                + "\",\"x5c\":[\"MIIC\"]}";
    }

    static String ecKey(String id, KeyPair pair) {
        ECPublicKey key = (ECPublicKey) pair.getPublic();
        return "{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES256\",\"kid\":\"" + id + "\",\"x\":\""
                + base64(magnitude(key.getW().getAffineX())) + "\",\"y\":\""
                + base64(magnitude(key.getW().getAffineY())) + "\"}";
    }

    static String rs256(KeyPair pair, String header, String claims) {
        return sign("SHA256withRSA", pair, header, claims);
    }

    static String es256(KeyPair pair, String header, String claims) {
        return sign("SHA256withECDSAinP1363Format", pair, header, claims);
    }

    private static String sign(String algorithm, KeyPair pair, String header, String claims) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(pair.getPrivate());
            signature.update(unsigned(header, claims).getBytes(StandardCharsets.US_ASCII));
            return unsigned(header, claims) + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Signs by a secret that everybody knows. */
    static String hs256(byte[] secret, String header, String claims) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] digest = mac.doFinal(unsigned(header, claims).getBytes(StandardCharsets.US_ASCII));
            return unsigned(header, claims) + "." + base64(digest);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static String unsigned(String header, String claims) {
        return base64(header.getBytes(StandardCharsets.UTF_8)) + "." + base64(claims.getBytes(StandardCharsets.UTF_8));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] magnitude(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }
}
