package dev.trestle.server.blob;

import dev.trestle.blob.BlobService.LeaseAction;
import dev.trestle.blob.Lease;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A parsed request on a lease.
 *
 * @param status the status of a successful response
 */
record LeaseRequest(Kind kind, LeaseAction action, int status) {
    private static final int SECONDS_MIN = 15;
    private static final int SECONDS_MAX = 60;
    private static final String DURATION = "x-ms-lease-duration";
    private static final String PERIOD = "x-ms-lease-break-period";
    private static final String PROPOSED = "x-ms-proposed-lease-id";

    enum Kind {
        ACQUIRE,
        RENEW,
        CHANGE,
        RELEASE,
        BREAK
    }

    static LeaseRequest of(Request request) {
        String word = required(request, "x-ms-lease-action").toLowerCase(Locale.ROOT);
        return switch (word) {
            case "acquire" -> acquire(request);
            case "renew" -> {
                UUID id = id(request);
                yield new LeaseRequest(Kind.RENEW, (lease, now) -> lease.renew(now, id), 200);
            }
            case "change" -> {
                UUID id = id(request);
                UUID proposed =
                        BlobConditions.guid(request, PROPOSED).orElseThrow(() -> BlobConditions.missing(PROPOSED));
                yield new LeaseRequest(Kind.CHANGE, (lease, now) -> lease.change(now, id, proposed), 200);
            }
            case "release" -> {
                UUID id = id(request);
                yield new LeaseRequest(Kind.RELEASE, (lease, now) -> lease.release(id), 200);
            }
            case "break" -> {
                Optional<Integer> period = request.header(PERIOD).map(text -> number(PERIOD, text, 0));
                yield new LeaseRequest(Kind.BREAK, (lease, now) -> lease.breakOff(now, period), 202);
            }
            default -> throw BlobConditions.invalid("x-ms-lease-action");
        };
    }

    private static LeaseRequest acquire(Request request) {
        String text = required(request, DURATION);
        int seconds = text.equals("-1") ? Lease.INFINITE : number(DURATION, text, SECONDS_MIN);
        Optional<UUID> proposed = BlobConditions.guid(request, PROPOSED);
        UUID fresh = UUID.randomUUID();
        return new LeaseRequest(Kind.ACQUIRE, (lease, now) -> lease.acquire(now, seconds, proposed, fresh), 201);
    }

    private static String required(Request request, String name) {
        return request.header(name).map(String::strip).orElseThrow(() -> BlobConditions.missing(name));
    }

    private static UUID id(Request request) {
        return BlobConditions.lease(request).orElseThrow(() -> BlobConditions.missing("x-ms-lease-id"));
    }

    private static int number(String name, String text, int min) {
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= min && number <= SECONDS_MAX) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw BlobConditions.invalid(name);
        }
        throw BlobConditions.invalid(name);
    }

    /** Adds the headers about the resulting lease. */
    Response addTo(Response response, Lease lease, long now) {
        return switch (kind) {
            case ACQUIRE, RENEW, CHANGE -> response.header("x-ms-lease-id", lease.id());
            case BREAK -> response.header("x-ms-lease-time", Long.toString(lease.secondsLeft(now)));
            case RELEASE -> response;
        };
    }
}
