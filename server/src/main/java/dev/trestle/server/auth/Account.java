package dev.trestle.server.auth;

import java.util.List;
import java.util.stream.Stream;

/**
 * An account with its one or two keys. Either key signs, so that a key can be replaced while the other is in use.
 */
public record Account(String name, List<AccountKey> keys) {
    private static final int NAME_LENGTH_MIN = 3;
    private static final int NAME_LENGTH_MAX = 24;
    private static final int KEYS_MAX = 2;

    /**
     * An account of a legal name.
     *
     * @throws IllegalArgumentException when the name is not legal or the keys are not one or two
     */
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
     * An account from the keys as they are written in connection strings.
     *
     * @throws IllegalArgumentException also when a key is not base64
     */
    public static Account of(String name, String... base64Keys) {
        return new Account(name, Stream.of(base64Keys).map(AccountKey::ofBase64).toList());
    }

    /**
     * Whether the signature is of one of the texts by one of the keys. All of them are always compared, so that the
     * time taken does not tell which one came close.
     */
    boolean signed(List<String> texts, String signature) {
        boolean signed = false;
        for (String text : texts) {
            for (AccountKey key : keys) {
                signed |= key.signed(text, signature);
            }
        }
        return signed;
    }

    private static boolean isName(String name) {
        return name.length() >= NAME_LENGTH_MIN
                && name.length() <= NAME_LENGTH_MAX
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    }
}
