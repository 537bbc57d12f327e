package dev.trestle.patterns.crypto;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Encrypts string properties as they are written and decrypts them as they are read. Each entity has a content key of its
 * own, wrapped by the current key of a {@link KeyResolver}; on the service the values are binary. A value that was changed, or
 * moved to another property or another entity, is refused on reading.
 *
 * <pre>{@code
 * EntityTable<Payslip> payslips =
 *         EntityTable.of(client, EntityType.of(Payslip.class), PropertyEncryption.with(keys));
 * }</pre>
 *
 * <p>Reading needs to be told nothing but the keys: an entity says itself what is encrypted in it. To rotate keys, make a new
 * one current and keep the old one in the resolver until every entity was written once more.
 */
public final class PropertyEncryption {
    private final KeyResolver keys;
    private final BiPredicate<EntityKey, String> resolver;

    private final boolean plainAccepted;

    private PropertyEncryption(KeyResolver keys, BiPredicate<EntityKey, String> resolver, boolean plainAccepted) {
        this.keys = keys;
        this.resolver = resolver;
        this.plainAccepted = plainAccepted;
    }

    /** Encrypts what is annotated. */
    public static PropertyEncryption with(KeyResolver keys) {
        return new PropertyEncryption(keys, (key, property) -> false, false);
    }

    /** The same, encrypting also what this says: it is asked with the key of an entity and the name of a property. */
    public PropertyEncryption alsoWhere(BiPredicate<EntityKey, String> encrypts) {
        return new PropertyEncryption(keys, resolver.or(encrypts), plainAccepted);
    }

    /** Whether a property would be encrypted. */
    public boolean encrypts(EntityKey key, String property, Set<String> annotated) {
        return annotated.contains(property) || resolver.test(key, property);
    }

    /** The row as it is to be written. */
    public EntityRow encrypt(EntityRow row, Set<String> annotated) {
        List<String> names = row.properties().keySet().stream()
                .filter(name -> encrypts(row.key(), name, annotated))
                .sorted()
                .toList();
        if (names.isEmpty()) {
            return row;
        }
        byte[] contentKey = AesGcm.randomKey();
        KeyEncryptionKey current = keys.current();
        Map<String, Object> properties = new LinkedHashMap<>();
        row.properties()
                .forEach((name, value) -> properties.put(
                        name, names.contains(name) ? encrypted(row.key(), name, value, contentKey) : value));
        Envelope envelope = new Envelope(current.id(), current.wrap(contentKey), names);
        properties.put(Envelope.PROPERTY, envelope.toBytes());
        return row.withProperties(properties);
    }

    private static byte[] encrypted(EntityKey key, String name, Object value, byte[] contentKey) {
        if (!(value instanceof String text)) {
            throw new EncryptionException("Property " + name + " is not a string, and only strings are encrypted");
        }
        return AesGcm.encrypt(contentKey, text.getBytes(StandardCharsets.UTF_8), place(key, name));
    }

    /** The same, reading also entities that were written before their properties were encrypted. */
    public PropertyEncryption acceptingPlain() {
        return new PropertyEncryption(keys, resolver, true);
    }

    /**
     * The row as it was before it was written. What is to be encrypted and is found plain is refused, since whoever can write
     * to the table could have put it there.
     */
    public EntityRow decrypt(EntityRow row, Set<String> annotated) {
        Object stored = row.properties().get(Envelope.PROPERTY);
        Envelope envelope = stored == null ? new Envelope("", new byte[0], List.of()) : Envelope.of(stored);
        refusePlain(row, annotated, envelope);
        if (stored == null) {
            return row;
        }
        KeyEncryptionKey key = keys.find(envelope.keyId())
                .orElseThrow(() -> new EncryptionException("Entity " + row.key() + " was encrypted with the key "
                        + envelope.keyId() + ", which is not known"));
        byte[] contentKey = key.unwrap(envelope.wrappedKey());
        Map<String, Object> properties = new LinkedHashMap<>();
        row.properties()
                .forEach((name, value) -> properties.put(
                        name,
                        envelope.properties().contains(name) ? decrypted(row.key(), name, value, contentKey) : value));
        properties.remove(Envelope.PROPERTY);
        return row.withProperties(properties);
    }

    private void refusePlain(EntityRow row, Set<String> annotated, Envelope envelope) {
        for (String name : annotated) {
            if (!plainAccepted
                    && row.properties().containsKey(name)
                    && !envelope.properties().contains(name)) {
                throw new EncryptionException("Property " + name + " of entity " + row.key()
                        + " is not encrypted: if it was written before it was to be, use acceptingPlain()");
            }
        }
    }

    private static String decrypted(EntityKey key, String name, Object value, byte[] contentKey) {
        String what = "Property " + name + " of entity " + key;
        if (!(value instanceof byte[] sealed)) {
            throw new EncryptionException(what + " was encrypted and is not any more");
        }
        return new String(AesGcm.decrypt(contentKey, sealed, place(key, name), what), StandardCharsets.UTF_8);
    }

    /** What a value belongs to, each part with its length before it so that no two places look alike. */
    private static byte[] place(EntityKey key, String property) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (String part : List.of(key.partitionKey(), key.rowKey(), property)) {
                byte[] encoded = part.getBytes(StandardCharsets.UTF_8);
                out.writeInt(encoded.length);
                out.write(encoded);
            }
        } catch (IOException e) {
            throw new EncryptionException("The place of a property cannot be written", e);
        }
        return bytes.toByteArray();
    }

    /** The properties that reading encrypted ones needs besides themselves. */
    public static String envelopeProperty() {
        return Envelope.PROPERTY;
    }
}
