package dev.trestle.testkit.history;

/**
 * One operation of a client, with its times and its outcome.
 *
 * @param invoked when it was sent
 * @param returned when it returned; if its outcome is unknown, the latest time at which it can take effect
 */
public record Operation(int id, int client, Call call, Outcome outcome, long invoked, long returned) {
    /** In place of the return time: the operation may take effect at any time. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether it certainly had no effect. */
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
