package dev.trestle.server.table;

import java.util.Optional;
import java.util.function.BiConsumer;

/** Whether a client wants to see what it just inserted; a wish that is none of the two known ones is ignored. */
record Prefer(Optional<String> wish) {
    private static final String NO_CONTENT = "return-no-content";
    private static final String CONTENT = "return-content";

    static Prefer of(Optional<String> header) {
        return new Prefer(header.map(String::strip).filter(wish -> wish.equals(NO_CONTENT) || wish.equals(CONTENT)));
    }

    boolean noContent() {
        return wish.isPresent() && wish.get().equals(NO_CONTENT);
    }

    /** Says which wish was honoured, if there was one. */
    void applied(BiConsumer<String, String> headers) {
        wish.ifPresent(text -> headers.accept("Preference-Applied", text));
    }
}
