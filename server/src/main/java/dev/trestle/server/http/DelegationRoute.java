package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Caller;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.auth.UserDelegation;
import dev.trestle.server.protocol.UserDelegationXml;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Hands out keys to those who come with a bearer token, to sign with in place of the account's. */
final class DelegationRoute {
    private final Accounts accounts;
    private final InstantSource clock;

    DelegationRoute(Accounts accounts, InstantSource clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    CompletionStage<Response> serve(Request request, Grant grant, String verb) {
        request.trace().begin(OperationName.GET_USER_DELEGATION_KEY);
        if (!verb.equals("POST")) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        grant.check(Operation.GET_USER_DELEGATION_KEY, Optional.empty());
        Caller caller = grant.caller().orElseThrow(() -> new StorageException(StorageError.AUTHENTICATION_FAILED));
        Account account = accounts.find(request.account())
                .orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND));
        UserDelegationXml.KeyInfo asked = UserDelegationXml.read(
                request.body(), request.bodyOffset(), request.bodyLength(), Ticks.of(clock.instant()));
        UserDelegation.Key key = UserDelegation.issue(
                account, caller.oid(), caller.tid(), asked.start(), asked.expiry(), "b", BlobRoutes.version(request));
        return CompletableFuture.completedFuture(
                new Response(200).body("application/xml", UserDelegationXml.write(key.fields())));
    }
}
