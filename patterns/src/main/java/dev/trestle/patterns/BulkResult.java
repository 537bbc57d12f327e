package dev.trestle.patterns;

import java.util.List;

/** The result of a bulk write: every write is either counted as written or listed with the reason of its failure. */
public record BulkResult(long written, long transactions, List<Leftover> leftovers) {
    public BulkResult {
        leftovers = List.copyOf(leftovers);
    }

    /** Returns this result, or throws if a write failed. */
    public BulkResult orThrow() {
        if (!leftovers.isEmpty()) {
            Leftover first = leftovers.get(0);
            throw new IllegalStateException(
                    leftovers.size() + " writes failed, the first to "
                            + first.write().key(),
                    first.reason());
        }
        return this;
    }
}
