package dev.trestle.server.protocol;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;

/** What a reader refuses, as a value. */
final class Refusals {
    private Refusals() {}

    interface Call {
        Object run();
    }

    static StorageException refusalOf(Call call) {
        Object answer;
        try {
            answer = call.run();
        } catch (StorageException e) {
            return e;
        }
        throw new AssertionError("not refused: " + answer);
    }

    static StorageError errorOf(Call call) {
        return refusalOf(call).error();
    }
}
