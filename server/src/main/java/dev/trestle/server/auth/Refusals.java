package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes the responses that refuse a request. Where errors are documents with particulars, one that concerns who the caller
 * is says which check failed, as the service does. Beyond that the reason is given on a developer's machine only; elsewhere
 * it would help an attacker to guess.
 */
record Refusals(boolean explained) {
    /** What the service says of a field that it cannot read. */
    static final String MALFORMED = "Signature fields not well formed.";

    /** As a parameter among what was signed, and within an address. */
    private static final Pattern SIGNATURE = Pattern.compile("(?im)^(sig:).*$|\\b(sig(?:=|%3D))[^&;\\s'\"]*");

    /** Refuses what the caller may not do. */
    StorageException refuse(StorageError error, String why) {
        StorageException refusal = withReason(error, why);
        return explained ? refusal.with(Authenticator.DETAIL, why) : refusal;
    }

    /** Refuses a caller whose credentials do not hold. */
    StorageException unauthenticated(String why) {
        return unauthenticated(why, why);
    }

    /** Refuses likewise; {@code detail} is what the service itself says of such credentials. */
    StorageException unauthenticated(String why, String detail) {
        return withReason(StorageError.AUTHENTICATION_FAILED, why).with(Authenticator.DETAIL, detail);
    }

    /** Refuses a bearer token, where there is a challenge that says how to get another. */
    StorageException badToken(String why) {
        return withReason(StorageError.INVALID_BEARER_TOKEN, why).with(Authenticator.DETAIL, why);
    }

    StorageException withoutPermission(Permission permission) {
        return refuse(
                StorageError.AUTHORIZATION_PERMISSION_MISMATCH,
                permission + " needs sp to have " + permission.lettersText() + ".");
    }

    /** Shows what this server signed, which holds nothing that the request did not. */
    StorageException badSignature(List<String> signed) {
        return badSignature(signed, "Signature did not match. String to sign used was " + signed.get(0));
    }

    /** Shows the same, where {@code detail} is what the service says of such a signature. */
    StorageException badSignature(List<String> signed, String detail) {
        return unauthenticated(mismatch(signed), detail);
    }

    /**
     * Shows likewise what was to be signed with an account key. Signatures are hidden: one that does not hold here may hold
     * for what it was made for, and errors are shown to people and written to logs by clients.
     */
    StorageException badKeySignature(List<String> signed) {
        List<String> shown = signed.stream().map(Refusals::withoutSignatures).toList();
        return unauthenticated(
                mismatch(shown),
                "The MAC signature found in the HTTP request '***' is not the same as any computed signature. Server used"
                        + " following string to sign: '" + shown.get(0) + "'.");
    }

    /** A header may hold an address with a signature in it, and a parameter be one. */
    private static String withoutSignatures(String signed) {
        return SIGNATURE.matcher(signed).replaceAll("$1$2***");
    }

    private StorageException withReason(StorageError error, String why) {
        return explained ? new StorageException(error, error.message() + " " + why) : new StorageException(error);
    }

    private static String mismatch(List<String> signed) {
        return signed.stream()
                .map(text -> '"' + printable(text) + '"')
                .collect(Collectors.joining(" or ", "The signature does not match; the server signed ", "."));
    }

    /** Line ends become visible, and nothing remains that a response could not carry. */
    private static String printable(String text) {
        StringBuilder printed = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                printed.append("\\n");
            } else if (c >= ' ' && c <= '~') {
                printed.append(c);
            } else {
                printed.append(String.format("\\u%04x", (int) c));
            }
        }
        return printed.toString();
    }
}
