package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Locale;
import java.util.Optional;

/**
 * The access tier of a blob. All blobs are stored alike, but one in the archive cannot be read until it has been
 * rehydrated, which takes a while.
 *
 * @param name empty when nobody set one, which is shown as the default
 * @param changed in ticks, 0 when never
 * @param rehydration where an archived blob is on its way to another tier; see {@link #at}
 */
public record Tier(String name, long changed, Optional<Rehydration> rehydration) {
    public static final Tier DEFAULT = new Tier("", 0);

    /** The tier of a blob when nobody set one. */
    public static final String DEFAULT_NAME = "Hot";

    private static final String ARCHIVE = "Archive";

    /**
     * A change of tier that is not done yet.
     *
     * @param tier the next one
     * @param done in ticks, when the blob is in that tier
     */
    public record Rehydration(String tier, Priority priority, long done) {
        /** As readers of the blob are told. */
        public String status() {
            return "rehydrate-pending-to-" + tier.toLowerCase(Locale.ROOT);
        }
    }

    /** How urgent a rehydration is. It is kept and shown, and has no effect. */
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

    /** The tier at a moment: a rehydration that is done by then has become the tier. */
    public Tier at(long now) {
        return rehydration
                .filter(pending -> pending.done <= now)
                .map(done -> new Tier(done.tier, done.done))
                .orElse(this);
    }

    boolean isArchive() {
        return name.equals(ARCHIVE);
    }

    /** The archive as the tier of a blob that is on its way out of it. */
    static Tier leavingArchive(String tier, Priority priority, long now, long takes) {
        return new Tier(ARCHIVE, now, Optional.of(new Rehydration(tier, priority, now + takes)));
    }

    /**
     * The tier after it is set.
     *
     * @param takes how long a rehydration takes, in ticks
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
        // The priority can be raised once.
        Priority raised = pending.priority == Priority.HIGH ? Priority.HIGH : priority;
        return new Tier(
                current.name, current.changed, Optional.of(new Rehydration(pending.tier, raised, pending.done)));
    }

    /** Refuses to read or change a blob that is in the archive. */
    void requireOnline(long now) {
        Tier current = at(now);
        if (current.isArchive()) {
            throw new StorageException(
                    current.rehydration.isPresent() ? StorageError.BLOB_BEING_REHYDRATED : StorageError.BLOB_ARCHIVED);
        }
    }
}
