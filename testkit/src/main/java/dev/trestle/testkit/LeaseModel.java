package dev.trestle.testkit;

import dev.trestle.blob.Lease;
import dev.trestle.model.StorageError;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The table of "Lease Blob", row by row, with the moments as the test moves the clock. */
final class LeaseModel {
    private String state = "available";
    private UUID id = new UUID(0, 0);
    private int seconds;
    private Instant ends = Instant.MAX;

    String state() {
        return state;
    }

    void settle(Instant now) {
        if (state.equals("leased") && !now.isBefore(ends)) {
            state = "expired";
        } else if (state.equals("breaking") && !now.isBefore(ends)) {
            state = "broken";
        }
    }

    private Instant end(Instant now) {
        return seconds == Lease.INFINITE ? Instant.MAX : now.plusSeconds(seconds);
    }

    private static Optional<StorageError> refused(StorageError error) {
        return Optional.of(error);
    }

    Optional<StorageError> acquire(Instant now, UUID proposed, int wanted) {
        if (state.equals("leased") && !proposed.equals(id)) {
            return refused(StorageError.LEASE_ALREADY_PRESENT);
        }
        if (state.equals("breaking")) {
            return refused(
                    proposed.equals(id)
                            ? StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_ACQUIRED
                            : StorageError.LEASE_ALREADY_PRESENT);
        }
        state = "leased";
        id = proposed;
        seconds = wanted;
        ends = end(now);
        return Optional.empty();
    }

    Optional<StorageError> renew(Instant now, UUID its) {
        if (state.equals("available") || !its.equals(id)) {
            return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        }
        if (state.equals("breaking") || state.equals("broken")) {
            return refused(StorageError.LEASE_IS_BROKEN_AND_CANNOT_BE_RENEWED);
        }
        state = "leased";
        ends = end(now);
        return Optional.empty();
    }

    Optional<StorageError> change(UUID its, UUID proposed) {
        if (!state.equals("leased") && !state.equals("breaking")) {
            return refused(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
        }
        if (!its.equals(id) && !proposed.equals(id)) {
            return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        }
        if (state.equals("breaking")) {
            return refused(StorageError.LEASE_IS_BREAKING_AND_CANNOT_BE_CHANGED);
        }
        id = proposed;
        return Optional.empty();
    }

    Optional<StorageError> release(UUID its) {
        if (state.equals("available") || !its.equals(id)) {
            return refused(StorageError.LEASE_ID_MISMATCH_WITH_LEASE_OPERATION);
        }
        state = "available";
        return Optional.empty();
    }

    Optional<StorageError> breakOff(Instant now, Optional<Integer> period) {
        Optional<Instant> asked = period.map(now::plusSeconds);
        switch (state) {
            case "available" -> {
                return refused(StorageError.LEASE_NOT_PRESENT_WITH_LEASE_OPERATION);
            }
            case "leased" -> {
                Instant rest = seconds == Lease.INFINITE ? asked.orElse(now) : ends;
                ends = asked.filter(moment -> moment.isBefore(rest)).orElse(rest);
                state = "breaking";
            }
            case "breaking" ->
                ends = asked.filter(moment -> moment.isBefore(ends)).orElse(ends);
            default -> state = "broken";
        }
        return Optional.empty();
    }

    Optional<StorageError> write(Optional<UUID> its) {
        if (state.equals("leased") || state.equals("breaking")) {
            return its.isEmpty()
                    ? refused(StorageError.LEASE_ID_MISSING)
                    : its.get().equals(id)
                            ? Optional.empty()
                            : refused(StorageError.LEASE_ID_MISMATCH_WITH_BLOB_OPERATION);
        }
        if (its.isPresent()) {
            return refused(
                    !state.equals("available") && its.get().equals(id)
                            ? StorageError.LEASE_LOST
                            : StorageError.LEASE_NOT_PRESENT_WITH_BLOB_OPERATION);
        }
        state = "available";
        return Optional.empty();
    }
}
