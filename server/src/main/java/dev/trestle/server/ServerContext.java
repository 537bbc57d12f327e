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
 * What all services of a server share.
 *
 * @param nanoTime the clock that time-outs of connections and requests go by
 * @param explainRefusals whether a refusal says which check failed
 * @param tokens what bearer tokens are checked by, if any are accepted
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
