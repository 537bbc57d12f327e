package dev.trestle.server.auth;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The accounts this server has, by name. Immutable. */
public final class Accounts {
    /** The key every storage emulator shares; it is public, so it protects nothing. */
    private static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** The one account that clients expand {@code UseDevelopmentStorage=true} to. */
    public static final Accounts DEVELOPMENT = of(List.of(Account.of("devstoreaccount1", DEVELOPMENT_KEY)));

    private final Map<String, Account> byName;

    private Accounts(Map<String, Account> byName) {
        this.byName = Map.copyOf(byName);
    }

    /**
     * The accounts given.
     *
     * @throws IllegalArgumentException when a name is given twice
     */
    public static Accounts of(List<Account> accounts) {
        Map<String, Account> byName = new HashMap<>();
        for (Account account : accounts) {
            if (byName.put(account.name(), account) != null) {
                throw new IllegalArgumentException("The account '" + account.name() + "' is given twice.");
            }
        }
        return new Accounts(byName);
    }

    public Optional<Account> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All of them, by name. */
    public List<Account> all() {
        return byName.values().stream()
                .sorted(Comparator.comparing(Account::name))
                .toList();
    }

    /** Whether any account, whatever its name, can be opened with the publicly known key. */
    public boolean usesDevelopmentKey() {
        AccountKey known = AccountKey.ofBase64(DEVELOPMENT_KEY);
        return byName.values().stream()
                .flatMap(account -> account.keys().stream())
                .anyMatch(known::sameAs);
    }

    @Override
    public String toString() {
        return byName.values().toString();
    }
}
