package dev.trestle.server.table;

import java.util.Optional;
import java.util.function.BiConsumer;

/** The header Prefer: whether the response to an insert has the entity as its body. Unknown values are ignored. */
record Prefer(Optional<String> preference) {
    private static final String NO_CONTENT = "return-no-content";
    private static final String CONTENT = "return-content";

    static Prefer of(Optional<String> header) {
        return new Prefer(header.map(String::strip)
                .filter(preference -> preference.equals(NO_CONTENT) || preference.equals(CONTENT)));
    }

    boolean noContent() {
        return preference.isPresent() && preference.get().equals(NO_CONTENT);
    }

    /** Adds the header Preference-Applied, if there was a known value. */
    void applied(BiConsumer<String, String> headers) {
        preference.ifPresent(text -> headers.accept("Preference-Applied", text));
    }
}
