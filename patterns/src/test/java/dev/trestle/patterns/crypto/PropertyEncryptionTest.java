package dev.trestle.patterns.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Manipulations of encrypted rows that reading detects. */
class PropertyEncryptionTest {
    private static final Set<String> BOTH = Set.of("Salary", "Bonus");
    private static final EntityRow PLAIN = EntityRow.of(
            new EntityKey("Sales", "1"), Map.of("Salary", "a lot", "Bonus", "", "Name", "Hall", "Age", 34));

    private final PropertyEncryption encryption =
            PropertyEncryption.with(KeyResolver.of(new AesKeyEncryptionKey("k", new byte[32])));

    private EntityRow tampered(String property, Object value) {
        Map<String, Object> properties =
                new HashMap<>(encryption.encrypt(PLAIN, BOTH).properties());
        properties.put(property, value);
        return PLAIN.withProperties(properties);
    }

    @Test
    void what_is_encrypted_comes_back_and_is_never_the_same_twice() {
        EntityRow once = encryption.encrypt(PLAIN, BOTH);
        EntityRow twice = encryption.encrypt(PLAIN, BOTH);
        assertThat(once.properties())
                .containsEntry("Name", "Hall")
                .containsEntry("Age", 34)
                .hasSize(5);
        assertThat((byte[]) once.properties().get("Salary"))
                .isNotEqualTo(twice.properties().get("Salary"));
        assertThat(encryption.decrypt(once, BOTH)).isEqualTo(PLAIN);
    }

    @Test
    void values_that_changed_places_within_an_entity_are_refused() {
        Map<String, Object> swapped =
                new HashMap<>(encryption.encrypt(PLAIN, BOTH).properties());
        Object salary = swapped.remove("Salary");
        swapped.put("Salary", swapped.get("Bonus"));
        swapped.put("Bonus", salary);
        assertThatThrownBy(() -> encryption.decrypt(PLAIN.withProperties(swapped), BOTH))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("moved from another entity or property");
    }

    @Test
    void a_damaged_envelope_is_refused_and_so_is_one_of_another_version() {
        assertThatThrownBy(() -> encryption.decrypt(tampered("EncryptionEnvelope", new byte[] {1, 0}), BOTH))
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> encryption.decrypt(tampered("EncryptionEnvelope", new byte[] {9}), BOTH))
                .hasMessageContaining("version 9");
        assertThatThrownBy(() -> encryption.decrypt(tampered("EncryptionEnvelope", "text"), BOTH))
                .hasMessageContaining("not binary");
        assertThatThrownBy(() -> encryption.decrypt(tampered("Salary", new byte[3]), BOTH))
                .hasMessageContaining("too short");
        assertThatThrownBy(() -> encryption.decrypt(tampered("Salary", "plain"), BOTH))
                .hasMessageContaining("was replaced by a plain value");
    }

    @Test
    void a_key_of_the_same_name_and_other_bytes_does_not_open() {
        byte[] others = new byte[32];
        others[0] = 1;
        PropertyEncryption other = PropertyEncryption.with(KeyResolver.of(new AesKeyEncryptionKey("k", others)));
        assertThatThrownBy(() -> other.decrypt(encryption.encrypt(PLAIN, BOTH), BOTH))
                .hasMessageContaining("The content key was changed");
        assertThatThrownBy(() -> new AesKeyEncryptionKey("short", new byte[16])).hasMessageContaining("32 bytes");
    }

    @Test
    void only_strings_are_encrypted() {
        assertThatThrownBy(() -> encryption.encrypt(PLAIN, Set.of("Age"))).hasMessageContaining("only strings");
    }
}
