package dev.trestle.server.codec;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;

/** The refusal of a reader, as a value. */
public final class Refusals {
    private Refusals() {}

    public interface Call {
        Object run();
    }

    public static StorageException refusalOf(Call call) {
        Object answer;
        try {
            answer = call.run();
        } catch (StorageException e) {
            return e;
        }
        throw new AssertionError("not refused: " + answer);
    }

    public static StorageError errorOf(Call call) {
        return refusalOf(call).error();
    }
}
