package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.EntityKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;

/**
 * How a message is written to a queue and read from it. What is written contains letters, digits and a few signs only, so that
 * every client of the queue can carry it.
 */
public record MessageFormat<M>(Function<M, String> write, Function<String, M> read) {
    /** Any text. */
    public static MessageFormat<String> text() {
        return new MessageFormat<>(MessageFormat::encoded, MessageFormat::decoded);
    }

    /** The key of the entity that something is to be done with. */
    public static MessageFormat<EntityKey> entityKey() {
        return new MessageFormat<>(
                key -> encoded(key.partitionKey()) + "." + encoded(key.rowKey()), MessageFormat::entityKey);
    }

    private static EntityKey entityKey(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("The message is not the key of an entity");
        }
        return new EntityKey(decoded(text.substring(0, dot)), decoded(text.substring(dot + 1)));
    }

    static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String decoded(String text) {
        return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
