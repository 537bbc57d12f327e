package dev.trestle.patterns;

import java.util.List;

/** What came of bulk work: every write is either counted as written or listed as left over. */
public record BulkResult(long written, long transactions, List<Leftover> leftovers) {
    public BulkResult {
        leftovers = List.copyOf(leftovers);
    }

    /** This result, if nothing is left over. */
    public BulkResult orThrow() {
        if (!leftovers.isEmpty()) {
            Leftover first = leftovers.get(0);
            throw new IllegalStateException(
                    leftovers.size() + " writes were not done, the first to "
                            + first.write().key(),
                    first.reason());
        }
        return this;
    }
}
