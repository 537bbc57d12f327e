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
 * Checks requests signed with an account key: "Authorize with Shared Key". What is signed differs between the Table
 * service and the others, and a little between clients; see {@link TableStringToSign} and {@link QueueBlobStringToSign}.
 */
final class SharedKey {
    /** How far a request's date may be from the server's, either way. */
    static final Duration SKEW_MAX = Duration.ofMinutes(15);

    /** What is signed: all of it, or the date and the resource. */
    enum Form {
        FULL,
        LITE
    }

    private final InstantSource clock;
    private final Refusals refusals;

    /** Requests of the same second bring the same text. */
    private volatile SignedDate lastDate = new SignedDate("", Instant.EPOCH);

    private record SignedDate(String text, Instant moment) {}

    SharedKey(InstantSource clock, Refusals refusals) {
        this.clock = clock;
        this.refusals = refusals;
    }

    /** Reads {@code account:signature} and checks it. */
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
            // As in the service, a date that cannot be accepted is reported before the signature.
            timely(date);
        }
        List<String> texts =
                table ? TableStringToSign.texts(form, request, date) : QueueBlobStringToSign.texts(form, request);
        if (account.signed(texts, signature)) {
            return timely(date);
        }
        // To the Table service some clients send two dates and sign the one that does not count.
        if (!table || otherDate.isEmpty() || otherDate.equals(date)) {
            throw refusals.badKeySignature(texts);
        }
        List<String> otherTexts = TableStringToSign.texts(form, request, otherDate);
        if (account.signed(otherTexts, signature)) {
            return timely(otherDate);
        }
        List<String> all = new ArrayList<>(texts);
        all.addAll(otherTexts);
        throw refusals.badKeySignature(all);
    }

    /** The owner's grant, if the date that was signed is near enough to now. */
    private Grant timely(String date) {
        Instant stamp = moment(date);
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

    private Instant moment(String date) {
        SignedDate last = lastDate;
        if (!last.text.equals(date)) {
            Instant moment = HttpDate.parse(date)
                    .orElseThrow(() -> refusals.unauthenticated(
                            "The date of the request is not an HTTP date.",
                            "The Date header in the request is incorrect."));
            last = new SignedDate(date, moment);
            lastDate = last;
        }
        return last.moment;
    }
}
