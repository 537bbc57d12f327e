package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.EntityKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;

/**
 * A codec of queue messages. Implementations should encode to letters, digits and a few punctuation characters, which every
 * queue client can carry.
 */
public record MessageFormat<M>(Function<M, String> write, Function<String, M> read) {
    /** Returns a format for strings. */
    public static MessageFormat<String> text() {
        return new MessageFormat<>(MessageFormat::encode, MessageFormat::decode);
    }

    /** Returns a format for entity keys. */
    public static MessageFormat<EntityKey> entityKey() {
        return new MessageFormat<>(
                key -> encode(key.partitionKey()) + "." + encode(key.rowKey()), MessageFormat::entityKey);
    }

    private static EntityKey entityKey(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("The message is not an entity key");
        }
        return new EntityKey(decode(text.substring(0, dot)), decode(text.substring(dot + 1)));
    }

    private static String encode(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(String text) {
        return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
