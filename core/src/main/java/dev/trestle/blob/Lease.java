package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.Optional;
import java.util.UUID;

/**
 * A lease: the exclusive right to change a blob or to delete a container. The state follows from the time, so
 * leases end without a write. Every action returns the resulting lease.
 *
 * @param id empty if there is no lease
 * @param seconds the duration, or {@link #INFINITE}
 * @param ends in ticks, when it expires unless renewed
 * @param breaks in ticks, when its break period ends; 0 if it was not broken
 */
public record Lease(String id, int seconds, long ends, long breaks) {
    public static final Lease NONE = new Lease("", 0, 0, 0);
    public static final int INFINITE = -1;

    /** The lease states of the protocol. */
    public enum State {
        AVAILABLE("available"),
        LEASED("leased"),
        EXPIRED("expired"),
        BREAKING("breaking"),
        BROKEN("broken");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public boolean isLocked() {
            return this == LEASED || this == BREAKING;
        }
    }

    public State state(long now) {
        if (id.isEmpty()) {
            return State.AVAILABLE;
        }
        if (breaks > 0) {
            return now < breaks ? State.BREAKING : State.BROKEN;
        }
        return now < ends ? State.LEASED : State.EXPIRED;
    }

    /** Returns whether the lease is held now and will expire. */
    boolean endsByItself(long now) {
        return state(now).isLocked() && seconds != INFINITE;
    }

    /** Returns the lease after a change of the blob, which removes a lease that is not held any more. */
    Lease afterChange(long now) {
        return state(now).isLocked() ? this : NONE;
    }

    public Lease acquire(long now, int wanted, Optional<UUID> proposed, UUID fresh) {
        State state = state(now);
        if (state.isLocked()) {
            boolean same = proposed.isPresent() && is(proposed.get());
            if (state == State.BREAKING && same) {
                throw new StorageException(StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_ACQUIRED);
            }
            if (!same) {
                throw new StorageException(StorageError.LEASE_ALREADY_PRESENT);
            }
        }
        return new Lease(proposed.orElse(fresh).toString(), wanted, end(now, wanted), 0);
    }

    public Lease renew(long now, UUID given) {
        requireMatch(given);
        return switch (state(now)) {
            case BREAKING, BROKEN -> throw new StorageException(StorageError.LEASE_IS_BROKEN_AND_CANNOT_BE_RENEWED);
            case AVAILABLE, LEASED, EXPIRED -> new Lease(id, seconds, end(now, seconds), 0);
        };
    }

    public Lease change(long now, UUID given, UUID proposed) {
        State state = state(now);
        if (!state.isLocked()) {
            throw new StorageException(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
        }
        if (!is(proposed)) {
            requireMatch(given);
        }
        if (state == State.BREAKING) {
            throw new StorageException(StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_CHANGED);
        }
        return new Lease(proposed.toString(), seconds, ends, 0);
    }

    public Lease release(UUID given) {
        requireMatch(given);
        return NONE;
    }

    /**
     * Breaks the lease.
     *
     * @param period the maximum break period in seconds; empty for the rest of the lease
     */
    public Lease breakOff(long now, Optional<Integer> period) {
        long asked = period.map(seconds -> now + seconds * Ticks.PER_SECOND).orElse(Long.MAX_VALUE);
        return switch (state(now)) {
            case AVAILABLE -> throw new StorageException(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
            case BROKEN -> this;
            case EXPIRED -> new Lease(id, seconds, ends, now);
            case BREAKING -> new Lease(id, seconds, ends, Math.min(asked, breaks));
            case LEASED ->
                new Lease(
                        id,
                        seconds,
                        ends,
                        seconds == INFINITE ? (period.isPresent() ? asked : now) : Math.min(asked, ends));
        };
    }

    /** Returns the rest of the break period in whole seconds, rounded up. */
    public long secondsLeft(long now) {
        return Math.max(0, (breaks - now + Ticks.PER_SECOND - 1) / Ticks.PER_SECOND);
    }

    /** Fails if the lease forbids a write with this lease id. */
    public void checkWrite(long now, Optional<UUID> given, Codes codes) {
        State state = state(now);
        if (state.isLocked()) {
            if (given.isEmpty()) {
                throw new StorageException(StorageError.LEASE_ID_MISSING, codes.missing);
            }
            if (!is(given.get())) {
                throw new StorageException(codes.mismatch);
            }
        } else if (given.isPresent()) {
            boolean lost = state != State.AVAILABLE && is(given.get());
            throw lost
                    ? new StorageException(StorageError.LEASE_LOST, codes.lost)
                    : new StorageException(codes.notPresent);
        }
    }

    /** Fails if the lease id is given and is not the current one. */
    public void checkRead(long now, Optional<UUID> given, Codes codes) {
        if (given.isPresent()) {
            checkWrite(now, given, codes);
        }
    }

    /** The errors of leases, which differ between blobs and containers. */
    public enum Codes {
        BLOB(
                StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION,
                StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION,
                "A lease ID was specified, but the lease for the blob has expired.",
                "There is currently a lease on the blob and no lease ID was specified in the request."),
        CONTAINER(
                StorageError.LEASE_ID_MISMATCH_WITH_CONTAINER_OPERATION,
                StorageError.LEASE_NOT_PRESENT_WITH_CONTAINER_OPERATION,
                "A lease ID was specified, but the lease for the container has expired.",
                "There is currently a lease on the container and no lease ID was specified in the request.");

        private final StorageError mismatch;
        private final StorageError notPresent;
        private final String lost;
        private final String missing;

        Codes(StorageError mismatch, StorageError notPresent, String lost, String missing) {
            this.mismatch = mismatch;
            this.notPresent = notPresent;
            this.lost = lost;
            this.missing = missing;
        }
    }

    private boolean is(UUID given) {
        return id.equals(given.toString());
    }

    private void requireMatch(UUID given) {
        if (!is(given)) {
            throw new StorageException(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        }
    }

    private static long end(long now, int seconds) {
        return seconds == INFINITE ? Ticks.MAX : now + seconds * Ticks.PER_SECOND;
    }

    /** Encodes the lease as a string. */
    String text() {
        return String.join(" ", id, Integer.toString(seconds), Long.toString(ends), Long.toString(breaks));
    }

    static Lease ofText(String text) {
        String[] words = text.split(" ", -1);
        return new Lease(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
}
