package dev.trestle.server;

import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.jwt.TokenVerifier;
import dev.trestle.server.http.TimeLimits;
import dev.trestle.server.pipeline.RequestObserver;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The objects that all services of a server share.
 *
 * @param nanoTime the clock for timeouts of connections and requests
 * @param explainRefusals whether an authentication error names the failed check
 * @param tokens verifies bearer tokens; empty if none are accepted
 * @param tenant the tenant in the challenge to clients without credentials
 */
record ServerContext(
        Vertx vertx,
        Accounts accounts,
        InstantSource clock,
        LongSupplier nanoTime,
        boolean explainRefusals,
        Optional<TokenVerifier> tokens,
        UUID tenant,
        TimeLimits times,
        Throttle throttle,
        ServerLoad load,
        RequestObserver observer) {

    Authenticator newAuthenticator() {
        return new Authenticator(accounts, clock, explainRefusals, tokens);
    }
}
