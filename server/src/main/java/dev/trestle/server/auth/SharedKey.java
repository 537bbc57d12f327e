package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.HttpDate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies requests signed with an account key: "Authorize with Shared Key". The string to sign differs between the
 * Table service and the others, and between clients; see {@link TableStringToSign} and {@link QueueBlobStringToSign}.
 */
final class SharedKey {
    /** The maximum difference between the dates of request and server, in either direction. */
    static final Duration SKEW_MAX = Duration.ofMinutes(15);

    /** The full string to sign, or the short one with date and resource only. */
    enum Form {
        FULL,
        LITE
    }

    private final InstantSource clock;
    private final Refusals refusals;

    /** The last parsed date; requests within a second have the same text. */
    private volatile SignedDate lastDate = new SignedDate("", Instant.EPOCH);

    private record SignedDate(String text, Instant instant) {}

    SharedKey(InstantSource clock, Refusals refusals) {
        this.clock = clock;
        this.refusals = refusals;
    }

    /** Verifies credentials of the form {@code account:signature}. */
    Grant verify(Form form, String credentials, Account account, SignedRequest request) {
        int colon = credentials.indexOf(':');
        if (colon <= 0 || colon == credentials.length() - 1) {
            throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        }
        if (!credentials.substring(0, colon).equals(account.name())) {
            throw refusals.unauthenticated("The Authorization header names another account than the address does.");
        }
        String signature = credentials.substring(colon + 1);
        String date = request.headerOrEmpty("x-ms-date");
        String otherDate = request.headerOrEmpty("date");
        if (date.isEmpty()) {
            date = otherDate;
        }
        if (date.isEmpty()) {
            throw refusals.unauthenticated(
                    "The request has neither an x-ms-date nor a Date header.", "Request date header not specified");
        }
        boolean table = request.service() == Service.TABLE;
        if (!table) {
            // As in the service, a bad date is reported before a bad signature.
            grantIfCurrent(date);
        }
        List<String> texts =
                table ? TableStringToSign.texts(form, request, date) : QueueBlobStringToSign.texts(form, request);
        if (account.verify(texts, signature)) {
            return grantIfCurrent(date);
        }
        // Some clients of the Table service send two dates and sign the one of lower precedence.
        if (!table || otherDate.isEmpty() || otherDate.equals(date)) {
            throw refusals.badKeySignature(texts);
        }
        List<String> otherTexts = TableStringToSign.texts(form, request, otherDate);
        if (account.verify(otherTexts, signature)) {
            return grantIfCurrent(otherDate);
        }
        List<String> all = new ArrayList<>(texts);
        all.addAll(otherTexts);
        throw refusals.badKeySignature(all);
    }

    /** Returns the owner's grant if the signed date is close enough to now. */
    private Grant grantIfCurrent(String date) {
        Instant stamp = instant(date);
        Instant now = clock.instant();
        if (Math.abs(now.toEpochMilli() - stamp.toEpochMilli()) > SKEW_MAX.toMillis()) {
            String why = "The request is dated " + stamp + ", which is more than " + SKEW_MAX.toMinutes()
                    + " minutes from the server's " + now + ".";
            throw stamp.isBefore(now)
                    ? refusals.unauthenticated(
                            why, "Request date header too old: '" + Ticks.formatHttp(Ticks.of(stamp)) + "'")
                    : refusals.unauthenticated(why);
        }
        return OwnerGrant.INSTANCE;
    }

    private Instant instant(String date) {
        SignedDate last = lastDate;
        if (!last.text.equals(date)) {
            Instant instant = HttpDate.parse(date)
                    .orElseThrow(() -> refusals.unauthenticated(
                            "The date of the request is not an HTTP date.",
                            "The Date header in the request is incorrect."));
            last = new SignedDate(date, instant);
            lastDate = last;
        }
        return last.instant;
    }
}
