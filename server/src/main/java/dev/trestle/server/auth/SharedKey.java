package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks requests signed with an account key: "Authorize with Shared Key", in the form of the Table service, which signs
 * few headers and always the date.
 *
 * <p>Clients disagree on two points, so both ways are tried: some send {@code x-ms-date} and {@code Date} and sign only
 * one, and some keep {@code -secondary} in the path they sign while others drop it.
 */
final class SharedKey {
    /** How far a request's date may be from the server's, either way. */
    static final Duration SKEW_MAX = Duration.ofMinutes(15);

    private static final String SECONDARY = "-secondary";

    /** What is signed: all of it, or the date and the resource. */
    enum Form {
        FULL,
        LITE
    }

    private final InstantSource clock;
    private final Refusals refusals;

    SharedKey(InstantSource clock, Refusals refusals) {
        this.clock = clock;
        this.refusals = refusals;
    }

    /** Reads {@code account:signature} and checks it. */
    Grant verify(Form form, String credentials, Account account, SignedRequest request) {
        if (request.service() != Service.TABLE) {
            throw new StorageException(StorageError.NOT_IMPLEMENTED);
        }
        int colon = credentials.indexOf(':');
        if (colon <= 0 || colon == credentials.length() - 1) {
            throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        }
        if (!credentials.substring(0, colon).equals(account.name())) {
            throw refusals.unauthenticated("The Authorization header names another account than the address does.");
        }
        String signature = credentials.substring(colon + 1);
        String date = header(request, "x-ms-date");
        String otherDate = header(request, "date");
        if (date.isEmpty()) {
            date = otherDate;
        }
        if (date.isEmpty()) {
            throw refusals.unauthenticated("The request has neither an x-ms-date nor a Date header.");
        }
        List<String> texts = stringsToSign(form, request, date);
        if (account.signed(texts, signature)) {
            return timely(date);
        }
        if (otherDate.isEmpty() || otherDate.equals(date)) {
            throw refusals.badSignature(texts);
        }
        List<String> otherTexts = stringsToSign(form, request, otherDate);
        if (account.signed(otherTexts, signature)) {
            return timely(otherDate);
        }
        List<String> all = new ArrayList<>(texts);
        all.addAll(otherTexts);
        throw refusals.badSignature(all);
    }

    /** The owner's grant, if the date that was signed is near enough to now. */
    private Grant timely(String date) {
        Instant stamp = HttpDate.parse(date)
                .orElseThrow(() -> refusals.unauthenticated("The date of the request is not an HTTP date."));
        Instant now = clock.instant();
        if (Math.abs(now.toEpochMilli() - stamp.toEpochMilli()) > SKEW_MAX.toMillis()) {
            throw refusals.unauthenticated("The request is dated " + stamp + ", which is more than "
                    + SKEW_MAX.toMinutes() + " minutes from the server's " + now + ".");
        }
        return OwnerGrant.INSTANCE;
    }

    private static String stringToSign(Form form, SignedRequest request, String date, String resource) {
        return switch (form) {
            case FULL ->
                request.method()
                        + '\n'
                        + header(request, "content-md5")
                        + '\n'
                        + header(request, "content-type")
                        + '\n'
                        + date
                        + '\n'
                        + resource;
            case LITE -> date + '\n' + resource;
        };
    }

    private static String header(SignedRequest request, String name) {
        String value = request.header().apply(name);
        return value == null ? "" : value;
    }

    /** One text, or two on the secondary, where clients disagree about the path. */
    private static List<String> stringsToSign(Form form, SignedRequest request, String date) {
        String account = "/" + request.account();
        String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
        String component =
                request.query().find("comp").map(comp -> "?comp=" + comp).orElse("");
        String asSent = stringToSign(form, request, date, account + path + component);
        String secondary = account + SECONDARY;
        if (!path.equals(secondary) && !path.startsWith(secondary + "/")) {
            return List.of(asSent);
        }
        String onPrimary = account + account + path.substring(secondary.length()) + component;
        return List.of(stringToSign(form, request, date, onPrimary), asSent);
    }
}
