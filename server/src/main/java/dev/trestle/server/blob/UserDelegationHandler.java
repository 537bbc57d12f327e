package dev.trestle.server.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Caller;
import dev.trestle.server.auth.UserDelegation;
import dev.trestle.server.pipeline.ProtocolVersion;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The handler of Get User Delegation Key, for callers with a bearer token. */
final class UserDelegationHandler {
    private final Accounts accounts;
    private final InstantSource clock;

    UserDelegationHandler(Accounts accounts, InstantSource clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    CompletionStage<Response> issue(BlobCall call) {
        Request request = call.request();
        Caller caller =
                call.grant().caller().orElseThrow(() -> new StorageException(StorageError.AUTHENTICATION_FAILED));
        Account account = accounts.find(request.account())
                .orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND));
        UserDelegationXml.KeyInfo requested =
                UserDelegationXml.read(request.body(), 0, request.bodyLength(), Ticks.of(clock.instant()));
        UserDelegation.Key key = UserDelegation.issue(
                account,
                caller.oid(),
                caller.tid(),
                requested.start(),
                requested.expiry(),
                "b",
                ProtocolVersion.text(request));
        return CompletableFuture.completedFuture(
                new Response(200).body("application/xml", UserDelegationXml.write(key.fields())));
    }
}
