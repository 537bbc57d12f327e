package dev.trestle.server.auth;

import dev.trestle.model.Ticks;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * User delegation keys, with which the owner of a bearer token signs SAS: "Get User Delegation Key".
 *
 * <p>Keys are not stored. A key is derived from an account key and the terms of the user delegation key, which
 * each SAS repeats. So every server with the account key can verify it, and changed terms give another key. The
 * account key never signs a text that a client chose: the derivation first computes a secret for this purpose
 * alone. A key becomes invalid when it expires, or when the account key it was derived from is removed.
 */
public final class UserDelegation {
    private static final String PURPOSE = "user delegation key";

    private UserDelegation() {}

    /** The terms of a key; times are in the form of {@link #text}. */
    record Terms(String oid, String tid, String start, String expiry, String service, String version) {
        private String toSign(Account account) {
            return String.join("\n", account.name(), oid, tid, start, expiry, service, version);
        }
    }

    /** An issued key. */
    public record Key(
            String oid, String tid, String start, String expiry, String service, String version, String value) {

        /** Returns the elements of the response document, in order. */
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
     * Returns the key with these terms, the same one for the same terms.
     *
     * @param start in {@link Ticks}, in whole seconds like {@code expiry}
     * @param service {@code b} for the Blob service
     * @param version the protocol version of the request for the key
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

    /**
     * Whether the signature is that of the text under the key with these terms, derived from either key of the
     * account.
     */
    static boolean verify(Account account, Terms terms, String text, String signature) {
        boolean verified = false;
        for (AccountKey key : account.keys()) {
            verified |= AccountKey.verify(derive(account, key, terms), text, signature);
        }
        return verified;
    }

    /** Formats a time for the terms, in whole seconds. */
    static String text(long ticks) {
        return Ticks.format(ticks - Math.floorMod(ticks, Ticks.PER_SECOND), false);
    }

    private static byte[] derive(Account account, AccountKey key, Terms terms) {
        return key.derive(PURPOSE, terms.toSign(account));
    }
}
