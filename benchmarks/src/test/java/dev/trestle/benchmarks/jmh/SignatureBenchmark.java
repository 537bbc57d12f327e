package dev.trestle.benchmarks.jmh;

import dev.trestle.catalogue.Service;
import dev.trestle.server.auth.Account;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.SignedRequest;
import dev.trestle.server.codec.QueryParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;

/** The check of a request's signature, whole: header, text to sign, HMAC, date. */
public class SignatureBenchmark extends HotPiece {
    private static final String KEY = "a2V5LW9mLXRoaXMtYmVuY2htYXJrLTEyMzQ1Njc4OTA=";
    private static final String DATE = "Mon, 02 Mar 2026 10:00:00 GMT";
    private static final String PATH = "/acct/bench(PartitionKey='partition000001',RowKey='row0000000042')";

    private final Authenticator authenticator = new Authenticator(
            Accounts.of(List.of(Account.of("acct", KEY))),
            InstantSource.fixed(Instant.parse("2026-03-02T10:00:01Z")),
            false,
            Optional.empty());
    private final Map<String, String> headers =
            Map.of("x-ms-date", DATE, "authorization", "SharedKeyLite acct:" + sign(DATE + "\n/acct" + PATH));
    private final SignedRequest request = new SignedRequest(
            Service.TABLE,
            "GET",
            "acct",
            PATH,
            PATH,
            QueryParameters.NONE,
            headers::get,
            headers.entrySet(),
            "127.0.0.1",
            false);

    private static String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public CompletionStage<Grant> sharedKeyLite() {
        return authenticator.authenticate(request, (table, id) -> CompletableFuture.completedFuture(Optional.empty()));
    }
}
