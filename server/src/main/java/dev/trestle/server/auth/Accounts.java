package dev.trestle.server.auth;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The accounts of this server, by name. Immutable. */
public final class Accounts {
    /** The well-known key of all storage emulators; it is public, so it protects nothing. */
    private static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** The one account that clients expand {@code UseDevelopmentStorage=true} to. */
    public static final Accounts DEVELOPMENT = of(List.of(Account.of("devstoreaccount1", DEVELOPMENT_KEY)));

    private final Map<String, Account> byName;

    private Accounts(Map<String, Account> byName) {
        this.byName = Map.copyOf(byName);
    }

    /**
     * Creates the set of these accounts.
     *
     * @throws IllegalArgumentException if a name occurs twice
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

    /** Returns all accounts, sorted by name. */
    public List<Account> all() {
        return byName.values().stream()
                .sorted(Comparator.comparing(Account::name))
                .toList();
    }

    /** Whether any account has the well-known key, whatever its name. */
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
