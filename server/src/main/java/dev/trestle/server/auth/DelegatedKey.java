package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.Ticks;
import java.util.OptionalLong;

/** The user delegation key that a SAS says it is signed with. */
record DelegatedKey(UserDelegation.Terms terms, long start, long expiry) {
    private static final String BLOB = Service.BLOB.word().substring(0, 1);

    static DelegatedKey of(SignedRequest request, SasChecks checks, Refusals refusals) {
        long start = time(request, checks, refusals, "skt");
        long expiry = time(request, checks, refusals, "ske");
        return new DelegatedKey(
                new UserDelegation.Terms(
                        checks.required(request, "skoid"),
                        checks.required(request, "sktid"),
                        UserDelegation.text(start),
                        UserDelegation.text(expiry),
                        checks.required(request, "sks"),
                        checks.required(request, "skv")),
                start,
                expiry);
    }

    private static long time(SignedRequest request, SasChecks checks, Refusals refusals, String name) {
        OptionalLong time = checks.time(request, name);
        if (time.isEmpty() || time.getAsLong() < 0 || time.getAsLong() > Ticks.MAX) {
            throw refusals.unauthenticated(
                    "The field " + name + " is missing, or is no time that a key can have.",
                    time.isEmpty() ? name + " is mandatory. Cannot be empty" : Refusals.MALFORMED);
        }
        return time.getAsLong();
    }

    boolean verify(Account account, String text, String signature) {
        return UserDelegation.verify(account, terms, text, signature);
    }

    /** Rejects a key that is not valid now or that expires before the SAS. */
    void checkLife(SasChecks checks, Refusals refusals, OptionalLong signatureExpiry) {
        if (!terms.service().equals(BLOB)) {
            throw refusals.unauthenticated("The field sks is not '" + BLOB + "'.");
        }
        checks.keyValidity(start, expiry);
        if (signatureExpiry.isPresent() && signatureExpiry.getAsLong() > expiry) {
            throw refusals.unauthenticated("The signature would live longer than the key it is made with.");
        }
    }
}
