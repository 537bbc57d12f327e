package dev.trestle.testkit.history;

/**
 * One operation: who asked what when, and what came of it.
 *
 * @param invoked when it was sent
 * @param returned when it was answered; of one whose outcome is unknown, the latest time it can have taken effect
 */
public record Operation(int id, int client, Call call, Outcome outcome, long invoked, long returned) {
    /** For what may take effect at any time. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether it certainly left everything as it was. */
    boolean changesNothing() {
        return !(call instanceof Call.Commit) || outcome instanceof Outcome.Refused;
    }

    boolean isUnknown() {
        return outcome instanceof Outcome.Unknown;
    }

    @Override
    public String toString() {
        return "#" + id + " client " + client + " [" + invoked + ", " + (returned == NEVER ? "..." : returned) + "] "
                + call + " -> " + outcome;
    }
}
