package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.List;
import java.util.OptionalLong;

/**
 * The conditional headers of a request, as in "Specifying conditional headers for Blob service operations".
 *
 * @param ifMatch ETags without quotes, or {@link #ANY}
 * @param ifNoneMatch ETags without quotes, or {@link #ANY}
 * @param ifModifiedSince in ticks, whole seconds
 * @param ifUnmodifiedSince in ticks, whole seconds
 */
public record Conditions(
        List<String> ifMatch, List<String> ifNoneMatch, OptionalLong ifModifiedSince, OptionalLong ifUnmodifiedSince) {
    public static final Conditions NONE =
            new Conditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty());
    public static final String ANY = "*";

    public Conditions {
        ifMatch = List.copyOf(ifMatch);
        ifNoneMatch = List.copyOf(ifNoneMatch);
    }

    /** Checks the conditions of a reader. */
    public void checkRead(long modified) {
        if (ifNoneMatch.contains(ANY)) {
            throw new StorageException(StorageError.UNSATISFIABLE_CONDITION);
        }
        boolean asExpected = (ifMatch.isEmpty() || matches(ifMatch, modified))
                && (ifUnmodifiedSince.isEmpty() || seconds(modified) <= ifUnmodifiedSince.getAsLong());
        if (!asExpected) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
        boolean newer = !ifNoneMatch.isEmpty() && !matches(ifNoneMatch, modified);
        boolean later = ifModifiedSince.isPresent() && seconds(modified) > ifModifiedSince.getAsLong();
        if ((!ifNoneMatch.isEmpty() || ifModifiedSince.isPresent()) && !newer && !later) {
            throw new StorageException(StorageError.NOT_MODIFIED);
        }
    }

    /** Returns the error for a missing blob. */
    StorageException absent() {
        return new StorageException(
                ifMatch.contains(ANY) ? StorageError.CONDITION_NOT_MET : StorageError.BLOB_NOT_FOUND);
    }

    /** Checks the conditions of a writer of a missing blob. */
    void checkAbsent() {
        if (!ifMatch.isEmpty()) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
    }

    /**
     * Checks the conditions of a writer.
     *
     * @param modified the last change of the blob or container
     * @param exists the error if the writer requires that it does not exist
     */
    public void checkWrite(long modified, StorageError exists) {
        checkChange(modified);
        require(!wantsAbsence(), exists);
    }

    /** Returns whether a writer requires that the blob does not exist. */
    boolean wantsAbsence() {
        return ifNoneMatch.contains(ANY);
    }

    /** Returns these conditions without the one that the blob does not exist. */
    Conditions evenIfPresent() {
        return wantsAbsence() ? new Conditions(ifMatch, List.of(), ifModifiedSince, ifUnmodifiedSince) : this;
    }

    /** Like {@link #checkWrite}, without the condition that the blob does not exist. */
    void checkChange(long modified) {
        // The ETag takes precedence over the time, which has whole seconds only.
        if (!ifMatch.isEmpty()) {
            require(matches(ifMatch, modified), StorageError.CONDITION_NOT_MET);
        } else if (ifUnmodifiedSince.isPresent()) {
            require(seconds(modified) <= ifUnmodifiedSince.getAsLong(), StorageError.CONDITION_NOT_MET);
        }
        if (!ifNoneMatch.isEmpty()) {
            boolean same = ifNoneMatch.contains(BlobETag.format(modified));
            require(!same, StorageError.CONDITION_NOT_MET);
        } else if (ifModifiedSince.isPresent()) {
            require(seconds(modified) > ifModifiedSince.getAsLong(), StorageError.CONDITION_NOT_MET);
        }
    }

    private static void require(boolean holds, StorageError otherwise) {
        if (!holds) {
            throw new StorageException(otherwise);
        }
    }

    private static boolean matches(List<String> tags, long modified) {
        return tags.contains(ANY) || tags.contains(BlobETag.format(modified));
    }

    static long seconds(long ticks) {
        return ticks - ticks % Ticks.PER_SECOND;
    }
}
