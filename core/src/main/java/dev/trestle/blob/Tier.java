package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Locale;
import java.util.Optional;

/**
 * The access tier of a blob. The tier has no effect on the storage, but an archived blob cannot be read until it
 * has been rehydrated, which takes a while.
 *
 * @param name empty if it was never set, which clients see as the default
 * @param changed in ticks; 0 if it was never set
 * @param rehydration the pending change of an archived blob; see {@link #at}
 */
public record Tier(String name, long changed, Optional<Rehydration> rehydration) {
    public static final Tier DEFAULT = new Tier("", 0);

    /** The tier of a blob if it was never set. */
    public static final String DEFAULT_NAME = "Hot";

    private static final String ARCHIVE = "Archive";

    /**
     * A pending change of tier.
     *
     * @param tier the new tier
     * @param done in ticks, when the change is complete
     */
    public record Rehydration(String tier, Priority priority, long done) {
        /** Returns the status in responses. */
        public String status() {
            return "rehydrate-pending-to-" + tier.toLowerCase(Locale.ROOT);
        }
    }

    /** The priority of a rehydration, stored and returned without effect. */
    public enum Priority {
        STANDARD("Standard"),
        HIGH("High");

        private final String word;

        Priority(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public static Optional<Priority> of(String word) {
            for (Priority priority : values()) {
                if (priority.word.equalsIgnoreCase(word)) {
                    return Optional.of(priority);
                }
            }
            return Optional.empty();
        }
    }

    public Tier(String name, long changed) {
        this(name, changed, Optional.empty());
    }

    /** Returns the tier at a time, with a rehydration that is complete by then applied. */
    public Tier at(long now) {
        return rehydration
                .filter(pending -> pending.done <= now)
                .map(done -> new Tier(done.tier, done.done))
                .orElse(this);
    }

    boolean isArchive() {
        return name.equals(ARCHIVE);
    }

    /** Returns the archive tier with a rehydration that begins now. */
    static Tier leavingArchive(String tier, Priority priority, long now, long takes) {
        return new Tier(ARCHIVE, now, Optional.of(new Rehydration(tier, priority, now + takes)));
    }

    /**
     * Returns the tier after a client sets it.
     *
     * @param takes the duration of a rehydration, in ticks
     */
    Tier set(String wanted, Priority priority, long now, long takes) {
        Tier current = at(now);
        if (!current.isArchive()) {
            return new Tier(wanted, now);
        }
        if (current.rehydration.isEmpty()) {
            return wanted.equals(ARCHIVE)
                    ? current
                    : new Tier(
                            current.name, current.changed, Optional.of(new Rehydration(wanted, priority, now + takes)));
        }
        Rehydration pending = current.rehydration.get();
        if (!pending.tier.equals(wanted)) {
            throw new StorageException(StorageError.BLOB_BEING_REHYDRATED);
        }
        // The priority can be raised, not lowered.
        Priority raised = pending.priority == Priority.HIGH ? Priority.HIGH : priority;
        return new Tier(
                current.name, current.changed, Optional.of(new Rehydration(pending.tier, raised, pending.done)));
    }

    /** Fails if the blob is archived. */
    void requireOnline(long now) {
        Tier current = at(now);
        if (current.isArchive()) {
            throw new StorageException(
                    current.rehydration.isPresent() ? StorageError.BLOB_BEING_REHYDRATED : StorageError.BLOB_ARCHIVED);
        }
    }
}
