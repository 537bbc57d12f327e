package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
        List<String> resources = resources(request);
        List<String> signed = new ArrayList<>();
        Optional<StorageException> untimely = Optional.empty();
        for (String date : dates(request)) {
            List<String> texts = resources.stream()
                    .map(resource -> stringToSign(form, request, date, resource))
                    .toList();
            if (account.signed(texts, signature)) {
                untimely = untimely(date);
                if (untimely.isEmpty()) {
                    return new OwnerGrant();
                }
            }
            signed.addAll(texts);
        }
        throw untimely.orElseGet(() -> refusals.badSignature(signed));
    }

    private Set<String> dates(SignedRequest request) {
        Set<String> dates = new LinkedHashSet<>();
        for (String name : List.of("x-ms-date", "date")) {
            String date = request.header().apply(name);
            if (date != null && !date.isEmpty()) {
                dates.add(date);
            }
        }
        if (dates.isEmpty()) {
            throw refusals.unauthenticated("The request has neither an x-ms-date nor a Date header.");
        }
        return dates;
    }

    private Optional<StorageException> untimely(String date) {
        Optional<Instant> stamp = HttpDate.parse(date);
        if (stamp.isEmpty()) {
            return Optional.of(refusals.unauthenticated("The date of the request is not an HTTP date."));
        }
        Instant now = clock.instant();
        if (Duration.between(stamp.get(), now).abs().compareTo(SKEW_MAX) > 0) {
            return Optional.of(refusals.unauthenticated("The request is dated " + stamp.get() + ", which is more than "
                    + SKEW_MAX.toMinutes() + " minutes from the server's " + now + "."));
        }
        return Optional.empty();
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

    private static List<String> resources(SignedRequest request) {
        String account = "/" + request.account();
        String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
        String component =
                request.query().find("comp").map(comp -> "?comp=" + comp).orElse("");
        String asSent = account + path + component;
        String secondary = account + SECONDARY;
        boolean onSecondary = path.equals(secondary) || path.startsWith(secondary + "/");
        return onSecondary
                ? List.of(account + account + path.substring(secondary.length()) + component, asSent)
                : List.of(asSent);
    }
}
