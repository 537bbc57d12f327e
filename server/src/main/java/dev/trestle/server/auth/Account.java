package dev.trestle.server.auth;

import java.util.List;
import java.util.stream.Stream;

/** An account with one or two keys. Either key signs requests, so that keys can be rotated. */
public record Account(String name, List<AccountKey> keys) {
    private static final int NAME_LENGTH_MIN = 3;
    private static final int NAME_LENGTH_MAX = 24;
    private static final int KEYS_MAX = 2;

    /** @throws IllegalArgumentException if the name is not legal or there are not one or two keys */
    public Account {
        if (!isName(name)) {
            throw new IllegalArgumentException("An account name has " + NAME_LENGTH_MIN + " to " + NAME_LENGTH_MAX
                    + " lower case letters or digits; '" + name + "' has not.");
        }
        keys = List.copyOf(keys);
        if (keys.isEmpty() || keys.size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "An account has one key or two; account '" + name + "' was given " + keys.size() + ".");
        }
    }

    /**
     * Creates an account from keys as they are written in connection strings.
     *
     * @throws IllegalArgumentException also if a key is not base64
     */
    public static Account of(String name, String... base64Keys) {
        return new Account(name, Stream.of(base64Keys).map(AccountKey::ofBase64).toList());
    }

    /**
     * Whether the signature is that of one of the texts under one of the keys. Always compares all of them, so
     * that the time taken does not reveal which one matched.
     */
    boolean verify(List<String> texts, String signature) {
        boolean verified = false;
        for (String text : texts) {
            for (AccountKey key : keys) {
                verified |= key.verify(text, signature);
            }
        }
        return verified;
    }

    private static boolean isName(String name) {
        return name.length() >= NAME_LENGTH_MIN
                && name.length() <= NAME_LENGTH_MAX
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    }
}
