package dev.trestle.cli;

import dev.trestle.server.auth.Account;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** An account as the user gave it: its name, and one key or two of which either is accepted. */
record AccountKeys(String name, List<String> keys) {
    private static final int KEYS_MAX = 2;

    /** "Storage account overview": names have 3 to 24 characters, digits and lower-case letters only. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{3,24}");

    /** The account that every Azure tool knows, with the key that everybody knows: public, hence no secret. */
    static final AccountKeys DEVELOPMENT = new AccountKeys(
            "devstoreaccount1",
            List.of("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="));

    AccountKeys {
        keys = List.copyOf(keys);
        if (!NAME.matcher(name).matches()) {
            throw new ConfigException("an account name has 3 to 24 lower-case letters and digits.");
        }
        if (keys.isEmpty() || keys.size() > KEYS_MAX) {
            throw new ConfigException("account " + name + " needs one key or two, as NAME:KEY or NAME:KEY:KEY2.");
        }
        for (String key : keys) {
            if (!isKey(key)) {
                throw new ConfigException("a key of account " + name + " is not Base64 text.");
            }
        }
    }

    /** Reads {@code NAME:KEY[:KEY2]}, several separated by semicolons. */
    static List<AccountKeys> parseAll(String text) {
        List<AccountKeys> accounts = new ArrayList<>();
        for (String one : text.split(";", -1)) {
            // A list that ends with the separator is common in the environment of emulators.
            if (!one.isBlank()) {
                List<String> parts = Arrays.asList(one.strip().split(":", -1));
                accounts.add(new AccountKeys(parts.get(0), parts.subList(1, parts.size())));
            }
        }
        return accounts;
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
