package dev.trestle.cli;

import dev.trestle.server.auth.Account;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of an account and its one or two keys, either of which is accepted. Prints without the keys. */
record AccountKeys(String name, List<String> keys) {
    private static final int KEYS_MAX = 2;

    /** "Storage account overview": names have 3 to 24 characters, digits and lower-case letters only. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{3,24}");

    /** The account that every Azure tool knows, with its well-known key. The key is public, so it is no secret. */
    static final AccountKeys DEVELOPMENT = new AccountKeys(
            "devstoreaccount1",
            List.of("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="));

    AccountKeys {
        keys = List.copyOf(keys);
        if (!NAME.matcher(name).matches()) {
            throw new TypeConversionException("an account name has 3 to 24 lower-case letters and digits.");
        }
        if (keys.isEmpty() || keys.size() > KEYS_MAX) {
            throw new TypeConversionException(
                    "account " + name + " needs one key or two, as NAME:KEY or NAME:KEY:KEY2.");
        }
        for (String key : keys) {
            if (!isKey(key)) {
                throw new TypeConversionException("a key of account " + name + " is not Base64 text.");
            }
        }
    }

    /** Parses {@code NAME:KEY[:KEY2]}, several separated by semicolons. */
    static final class Converter implements ITypeConverter<List<AccountKeys>> {
        @Override
        public List<AccountKeys> convert(String text) {
            return Arrays.stream(text.split(";", -1))
                    .map(String::strip)
                    // AZURITE_ACCOUNTS often ends with the separator.
                    .filter(account -> !account.isEmpty())
                    .map(account -> Arrays.asList(account.split(":", -1)))
                    .map(parts -> new AccountKeys(parts.get(0), parts.subList(1, parts.size())))
                    .toList();
        }
    }

    boolean isDevelopment() {
        return equals(DEVELOPMENT);
    }

    Account toAccount() {
        return Account.of(name, keys.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return name + ":***";
    }

    private static boolean isKey(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
