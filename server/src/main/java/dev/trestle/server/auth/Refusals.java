package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Creates the errors for rejected credentials. Authentication errors name the failed check in a detail, as in the
 * service, where the error format has details. Only a development server explains more, because the reason would help
 * an attacker.
 */
record Refusals(boolean explained) {
    /** The service's message about a field that cannot be parsed. */
    static final String MALFORMED = "Signature fields not well formed.";

    /** A signature as a parameter in the string to sign, or within an address. */
    private static final Pattern SIGNATURE = Pattern.compile("(?im)^(sig:).*$|\\b(sig(?:=|%3D))[^&;\\s'\"]*");

    /** Returns the error for an operation that the credentials do not allow. */
    StorageException refuse(StorageError error, String why) {
        StorageException refusal = withReason(error, why);
        return explained ? refusal.with(Authenticator.DETAIL, why) : refusal;
    }

    /** Returns the error for invalid credentials. */
    StorageException unauthenticated(String why) {
        return unauthenticated(why, why);
    }

    /** Returns the error for invalid credentials, with the service's own message about them as the detail. */
    StorageException unauthenticated(String why, String detail) {
        return withReason(StorageError.AUTHENTICATION_FAILED, why).with(Authenticator.DETAIL, detail);
    }

    /** Returns the error for an invalid bearer token, where the response has a challenge. */
    StorageException badToken(String why) {
        return withReason(StorageError.INVALID_BEARER_TOKEN, why).with(Authenticator.DETAIL, why);
    }

    StorageException withoutPermission(Permission permission) {
        return refuse(
                StorageError.AUTHORIZATION_PERMISSION_MISMATCH,
                permission + " needs sp to have " + permission.lettersText() + ".");
    }

    /**
     * Returns the error for a wrong SAS signature, with the string to sign, which consists of the request's own data.
     */
    StorageException badSignature(List<String> signed) {
        return badSignature(signed, "Signature did not match. String to sign used was " + signed.get(0));
    }

    /** Returns the error for a wrong SAS signature, with the service's own message about it as the detail. */
    StorageException badSignature(List<String> signed, String detail) {
        return unauthenticated(mismatch(signed), detail);
    }

    /**
     * Returns the error for a wrong Shared Key signature, with the string to sign. SAS signatures in it are masked:
     * they may be valid elsewhere, and clients show and log error messages.
     */
    StorageException badKeySignature(List<String> signed) {
        List<String> shown = signed.stream().map(Refusals::withoutSignatures).toList();
        return unauthenticated(
                mismatch(shown),
                "The MAC signature found in the HTTP request '***' is not the same as any computed signature. Server used"
                        + " following string to sign: '" + shown.get(0) + "'.");
    }

    /** Masks signatures: a header may contain an address with a SAS, and a parameter may be one. */
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

    /** Escapes line ends and characters that a response cannot carry. */
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
