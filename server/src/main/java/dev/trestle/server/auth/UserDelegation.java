package dev.trestle.server.auth;

import dev.trestle.model.Ticks;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys that somebody with a bearer token gets to sign shared access signatures with: "Get User Delegation Key".
 *
 * <p>None is stored. A key is derived from an account key and its own terms, which a signature made with it has to
 * repeat, so every server with the account key can check it and a changed term makes another key. What signs requests is
 * never the account key over a text of the caller's choice, but a secret derived from it for this purpose alone. A key
 * ends with its time, or when the account key it was derived from is withdrawn.
 */
public final class UserDelegation {
    private static final String PURPOSE = "user delegation key";

    private UserDelegation() {}

    /** What a key is for; times are {@link #text}. */
    record Terms(String oid, String tid, String start, String expiry, String service, String version) {
        private String toSign(Account account) {
            return String.join("\n", account.name(), oid, tid, start, expiry, service, version);
        }
    }

    /**
     * A key as it is handed out.
     *
     * @param value the secret in base64
     */
    public record Key(
            String oid, String tid, String start, String expiry, String service, String version, String value) {

        /** The elements of the document that hands it out, in their order. */
        public Map<String, String> fields() {
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("SignedOid", oid);
            fields.put("SignedTid", tid);
            fields.put("SignedStart", start);
            fields.put("SignedExpiry", expiry);
            fields.put("SignedService", service);
            fields.put("SignedVersion", version);
            fields.put("Value", value);
            return fields;
        }

        @Override
        public String toString() {
            return "Key[oid=" + oid + ", tid=" + tid + ", value=***]";
        }
    }

    /**
     * The key of these terms, always the same one for the same terms.
     *
     * @param start in {@link Ticks}, counted in whole seconds as {@code expiry} is
     * @param service {@code b} for the Blob service
     * @param version of the protocol that the key was asked for with
     */
    public static Key issue(
            Account account, String oid, String tid, long start, long expiry, String service, String version) {
        Terms terms = new Terms(oid, tid, text(start), text(expiry), service, version);
        byte[] secret = derive(account, account.keys().get(0), terms);
        return new Key(
                oid,
                tid,
                terms.start,
                terms.expiry,
                service,
                version,
                Base64.getEncoder().encodeToString(secret));
    }

    /** Whether the signature is of the text by the key of these terms, derived from either key of the account. */
    static boolean signed(Account account, Terms terms, String text, String signature) {
        boolean signed = false;
        for (AccountKey key : account.keys()) {
            signed |= AccountKey.signed(derive(account, key, terms), text, signature);
        }
        return signed;
    }

    /** A time as the terms have it, however it was written: in whole seconds. */
    static String text(long ticks) {
        return Ticks.format(ticks - Math.floorMod(ticks, Ticks.PER_SECOND), false);
    }

    private static byte[] derive(Account account, AccountKey key, Terms terms) {
        return key.derive(PURPOSE, terms.toSign(account));
    }
}
