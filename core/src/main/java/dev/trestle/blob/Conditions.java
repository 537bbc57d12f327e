package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a caller wants to hold of a blob before anything is done: "Specifying conditional headers for Blob service
 * operations".
 *
 * @param ifMatch ETags without quotes, or {@link #ANY}
 * @param ifNoneMatch likewise
 * @param ifModifiedSince in ticks, whole seconds
 * @param ifUnmodifiedSince likewise
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

    /** Returns if a reader wants the blob, as it was changed last at this moment. */
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

    /** The answer to somebody who wants what is not there. */
    StorageException absent() {
        return new StorageException(
                ifMatch.contains(ANY) ? StorageError.CONDITION_NOT_MET : StorageError.BLOB_NOT_FOUND);
    }

    /** Returns if a writer may make a blob where there is none. */
    void checkAbsent() {
        if (!ifMatch.isEmpty()) {
            throw new StorageException(StorageError.CONDITION_NOT_MET);
        }
    }

    /**
     * Returns if a writer may change what was changed last at this moment.
     *
     * @param exists the answer to a writer who wants nothing to be there
     */
    public void checkWrite(long modified, StorageError exists) {
        checkChange(modified);
        require(!wantsAbsence(), exists);
    }

    /** Whether a writer wants nothing to be there. */
    boolean wantsAbsence() {
        return ifNoneMatch.contains(ANY);
    }

    /** The same conditions of a writer who takes what is there as well as nothing. */
    Conditions evenIfPresent() {
        return wantsAbsence() ? new Conditions(ifMatch, List.of(), ifModifiedSince, ifUnmodifiedSince) : this;
    }

    /** Checks all that {@link #checkWrite} does, except whether the writer wants nothing to be there. */
    void checkChange(long modified) {
        // Of a pair the ETag decides, which is finer than the time.
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
