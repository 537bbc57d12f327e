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
 * Client-side encryption of string properties with AES-256-GCM. Each entity has its own content key, wrapped by the current key of
 * a {@link KeyResolver}; encrypted values are stored as binary. Reading fails if a value was changed, or moved to another property
 * or entity. Immutable and thread-safe.
 *
 * <pre>{@code
 * EntityTable<Payslip> payslips =
 *         EntityTable.of(client, EntityType.of(Payslip.class), PropertyEncryption.with(keys));
 * }</pre>
 *
 * <p>Reading needs only the keys, because an entity stores which of its properties are encrypted. To rotate keys, make a new one
 * current and keep the old one in the resolver until every entity has been rewritten.
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

    /** Returns an encryption of the properties annotated with {@link dev.trestle.patterns.entity.Encrypted}. */
    public static PropertyEncryption with(KeyResolver keys) {
        return new PropertyEncryption(keys, (key, property) -> false, false);
    }

    /** Returns an encryption that also covers properties selected by entity key and property name. */
    public PropertyEncryption alsoWhere(BiPredicate<EntityKey, String> encrypts) {
        return new PropertyEncryption(keys, resolver.or(encrypts), plainAccepted);
    }

    /** Returns whether a property is encrypted on writing. */
    public boolean encrypts(EntityKey key, String property, Set<String> annotated) {
        return annotated.contains(property) || resolver.test(key, property);
    }

    /** Encrypts a row for writing. */
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
            throw new EncryptionException("Property " + name + " is not a string: only strings can be encrypted");
        }
        return AesGcm.encrypt(contentKey, text.getBytes(StandardCharsets.UTF_8), associatedData(key, name));
    }

    /** Returns an encryption that also reads entities written before their properties were encrypted. */
    public PropertyEncryption acceptingPlain() {
        return new PropertyEncryption(keys, resolver, true);
    }

    /**
     * Decrypts a row that was read. Rejects plain values of encrypted properties, because anyone who can write to the table could
     * have put them there.
     */
    public EntityRow decrypt(EntityRow row, Set<String> annotated) {
        Object stored = row.properties().get(Envelope.PROPERTY);
        Envelope envelope = stored == null ? new Envelope("", new byte[0], List.of()) : Envelope.of(stored);
        rejectPlain(row, annotated, envelope);
        if (stored == null) {
            return row;
        }
        KeyEncryptionKey key = keys.find(envelope.keyId())
                .orElseThrow(() -> new EncryptionException("Entity " + row.key() + " was encrypted with the key "
                        + envelope.keyId() + ", which the KeyResolver does not know"));
        byte[] contentKey = key.unwrap(envelope.wrappedKey());
        Map<String, Object> properties = new LinkedHashMap<>();
        row.properties()
                .forEach((name, value) -> properties.put(
                        name,
                        envelope.properties().contains(name) ? decrypted(row.key(), name, value, contentKey) : value));
        properties.remove(Envelope.PROPERTY);
        return row.withProperties(properties);
    }

    private void rejectPlain(EntityRow row, Set<String> annotated, Envelope envelope) {
        for (String name : annotated) {
            if (!plainAccepted
                    && row.properties().containsKey(name)
                    && !envelope.properties().contains(name)) {
                throw new EncryptionException("Property " + name + " of entity " + row.key()
                        + " is not encrypted: if it was written before encryption was enabled, use acceptingPlain()");
            }
        }
    }

    private static String decrypted(EntityKey key, String name, Object value, byte[] contentKey) {
        String what = "Property " + name + " of entity " + key;
        if (!(value instanceof byte[] sealed)) {
            throw new EncryptionException(what + " was replaced by a plain value");
        }
        return new String(AesGcm.decrypt(contentKey, sealed, associatedData(key, name), what), StandardCharsets.UTF_8);
    }

    /** Returns entity key and property name, each with a length prefix so that different inputs never encode alike. */
    private static byte[] associatedData(EntityKey key, String property) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (String part : List.of(key.partitionKey(), key.rowKey(), property)) {
                byte[] encoded = part.getBytes(StandardCharsets.UTF_8);
                out.writeInt(encoded.length);
                out.write(encoded);
            }
        } catch (IOException e) {
            throw new EncryptionException("The associated data cannot be encoded", e);
        }
        return bytes.toByteArray();
    }

    /** Returns the name of the property that has to be selected to decrypt any other. */
    public static String envelopeProperty() {
        return Envelope.PROPERTY;
    }
}
