package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes the answers that refuse a request. On a developer's machine they say why; elsewhere they keep to the service's
 * sentence, because the reason helps whoever is guessing.
 */
record Refusals(boolean explained) {

    StorageException refuse(StorageError error, String why) {
        return explained ? new StorageException(error, error.message() + " " + why) : new StorageException(error);
    }

    StorageException unauthenticated(String why) {
        return refuse(StorageError.AUTHENTICATION_FAILED, why);
    }

    StorageException withoutPermission(Operation operation) {
        return refuse(
                StorageError.AUTHORIZATION_PERMISSION_MISMATCH,
                operation + " needs sp to have " + operation.permissions() + ".");
    }

    /** Shows what this server signed, which holds nothing that the request did not. */
    StorageException badSignature(List<String> signed) {
        return unauthenticated(signed.stream()
                .map(text -> '"' + printable(text) + '"')
                .collect(Collectors.joining(" or ", "The signature does not match; the server signed ", ".")));
    }

    /** Line ends become visible, and nothing remains that an XML answer could not carry. */
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
