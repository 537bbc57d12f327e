package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.jwt.TokenVerifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** An authenticator with the clock and the stored policies of a test, whose result is one word. */
public final class Judge {
    static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");

    private final Authenticator authenticator;
    private final List<AccessPolicy> policies = new ArrayList<>();
    private boolean resourceExists = true;
    private PublicAccess publicAccess = PublicAccess.NONE;
    private Instant now = NOW;
    private final List<String> lookups = new ArrayList<>();

    Judge(Accounts accounts, boolean explain) {
        this(accounts, explain, Optional.empty());
    }

    Judge(Accounts accounts, boolean explain, Optional<TokenVerifier> tokens) {
        authenticator = new Authenticator(accounts, () -> now, explain, tokens);
    }

    Judge() {
        this(Accounts.DEVELOPMENT, false);
    }

    Judge at(String instant) {
        now = Instant.parse(instant);
        return this;
    }

    Judge policy(AccessPolicy policy) {
        policies.removeIf(other -> other.id().equals(policy.id()));
        policies.add(policy);
        return this;
    }

    Judge revoke(String id) {
        policies.removeIf(policy -> policy.id().equals(id));
        return this;
    }

    Judge dropResource() {
        resourceExists = false;
        return this;
    }

    Judge publicAccess(PublicAccess level) {
        publicAccess = level;
        return this;
    }

    /** The names of the resources whose stored policies, or public access, were asked for. */
    List<String> lookups() {
        return List.copyOf(lookups);
    }

    Grant grant(SignedRequest request) {
        CompletableFuture<Grant> answer =
                authenticator.authenticate(request, new Lookup()).toCompletableFuture();
        assertThat(answer).isDone();
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageException refusal) {
                throw refusal;
            }
            throw e;
        }
    }

    /** Returns the policy that the test has set, and records the lookup. */
    private final class Lookup implements PolicyLookup {
        @Override
        public CompletableFuture<Optional<List<AccessPolicy>>> find(String account, String resource) {
            note(account, resource);
            return CompletableFuture.completedFuture(
                    resourceExists ? Optional.of(List.copyOf(policies)) : Optional.empty());
        }

        @Override
        public CompletableFuture<PublicAccess> publicAccess(String account, String container) {
            note(account, container);
            return CompletableFuture.completedFuture(publicAccess);
        }

        private void note(String account, String resource) {
            assertThat(account).isEqualTo(Requests.ACCOUNT);
            lookups.add(resource);
        }
    }

    Grant grant(Requests request) {
        return grant(request.build());
    }

    StorageException refusal(Requests request) {
        return refusalOf(() -> grant(request));
    }

    StorageError error(Requests request) {
        return refusal(request).error();
    }

    /** The refusal of an action that has to be refused. */
    public static StorageException refusalOf(Runnable action) {
        try {
            action.run();
        } catch (StorageException e) {
            return e;
        }
        throw new AssertionError("nothing was refused");
    }
}
