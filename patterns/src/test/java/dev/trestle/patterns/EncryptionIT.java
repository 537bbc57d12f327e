package dev.trestle.patterns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Staff.Paid;
import dev.trestle.patterns.crypto.AesKeyEncryptionKey;
import dev.trestle.patterns.crypto.EncryptionException;
import dev.trestle.patterns.crypto.KeyEncryptionKey;
import dev.trestle.patterns.crypto.KeyResolver;
import dev.trestle.patterns.crypto.PropertyEncryption;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Client-side encryption of properties on a real server. */
@ExtendWith(WithTrestle.class)
class EncryptionIT {
    private static final EntityMapping<Paid> PAID = EntityMapping.of(Paid.class);
    private static final KeyEncryptionKey OLD = key("2013", 1);
    private static final KeyEncryptionKey NEW = key("2014", 2);
    private static final Paid HALL = new Paid("Sales", 1, "a lot", "Manager");
    private static final EntityKey KEY = new EntityKey("Sales", "0001");

    private final TableClient client;
    private final EntityTable<Paid> paid;

    EncryptionIT(ServerProcess server) {
        client = WithTrestle.newTable(server);
        paid = EntityTable.of(client, PAID, PropertyEncryption.with(KeyResolver.of(OLD)));
    }

    private static KeyEncryptionKey key(String id, int seed) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) seed);
        return new AesKeyEncryptionKey(id, bytes);
    }

    @Test
    void the_service_holds_bytes_and_the_reader_gets_the_string_back() {
        paid.insert(HALL);
        TableEntity raw = client.getEntity("Sales", "0001");
        assertThat(raw.getProperty("salary")).isInstanceOf(byte[].class);
        assertThat(new String((byte[]) raw.getProperty("salary"), StandardCharsets.ISO_8859_1))
                .doesNotContain("a lot");
        assertThat(raw.getProperty("title")).isEqualTo("Manager");
        assertThat(paid.find(KEY).orElseThrow().value()).isEqualTo(HALL);
        assertThat(paid.find(KEY).orElseThrow().unknownProperties()).isEmpty();
        record Salary(String salary) {}
        assertThat(paid.partition("Sales").select(Salary.class).list()).containsExactly(new Salary("a lot"));
    }

    @Test
    void after_a_new_key_old_entities_are_read_and_new_ones_need_only_the_new_key() {
        paid.insert(HALL);
        EntityTable<Paid> rotated = EntityTable.of(client, PAID, PropertyEncryption.with(KeyResolver.of(NEW, OLD)));
        rotated.replace(rotated.find(KEY).orElseThrow());
        EntityTable<Paid> onlyNew = EntityTable.of(client, PAID, PropertyEncryption.with(KeyResolver.of(NEW)));
        assertThat(onlyNew.find(KEY).orElseThrow().value()).isEqualTo(HALL);
        assertThatThrownBy(() -> paid.find(KEY))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("the key 2014, which the KeyResolver does not know");
    }

    @Test
    void a_value_that_was_changed_or_moved_is_refused() {
        paid.insert(HALL);
        paid.insert(new Paid("Sales", 2, "little", "Clerk"));
        TableEntity rich = client.getEntity("Sales", "0001");
        TableEntity poor = client.getEntity("Sales", "0002");

        byte[] changed = ((byte[]) poor.getProperty("salary")).clone();
        changed[changed.length - 1] ^= 1;
        client.updateEntity(new TableEntity("Sales", "0002").addProperty("salary", changed));
        assertThatThrownBy(() -> paid.find("Sales", "0002"))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("salary of entity 'Sales'/'0002' was changed");

        client.upsertEntityWithResponse(
                new TableEntity("Sales", "0002")
                        .addProperty("salary", rich.getProperty("salary"))
                        .addProperty("EncryptionEnvelope", rich.getProperty("EncryptionEnvelope"))
                        .addProperty("title", "Clerk"),
                TableEntityUpdateMode.REPLACE,
                null,
                null);
        assertThatThrownBy(() -> paid.find("Sales", "0002"))
                .hasMessageContaining("moved from another entity or property");

        client.upsertEntity(
                new TableEntity("Sales", "0003").addProperty("salary", "plain").addProperty("title", "x"));
        assertThatThrownBy(() -> paid.find("Sales", "0003")).hasMessageContaining("is not encrypted");
        EntityTable<Paid> lenient = EntityTable.of(
                client, PAID, PropertyEncryption.with(KeyResolver.of(OLD)).acceptingPlain());
        assertThat(lenient.find("Sales", "0003").orElseThrow().value().salary()).isEqualTo("plain");
    }

    @Test
    void a_merge_of_an_encrypted_property_is_refused_with_the_reason() {
        paid.insert(HALL);
        assertThatThrownBy(() -> paid.merge(KEY, Delta.of(Paid.class).set(Paid::salary, "more")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("cannot be merged")
                .hasMessageContaining("Read the entity and replace it");
        assertThatThrownBy(() -> paid.upsertMerge(HALL)).hasMessageContaining("cannot be merged");
        paid.merge(KEY, Delta.of(Paid.class).set(Paid::title, "Director"));
        assertThat(paid.find(KEY).orElseThrow().value()).isEqualTo(new Paid("Sales", 1, "a lot", "Director"));
    }

    @Test
    void a_function_can_say_what_is_encrypted_beyond_what_is_annotated() {
        PropertyEncryption bosses = PropertyEncryption.with(KeyResolver.of(OLD))
                .alsoWhere((key, property) -> key.rowKey().equals("0001") && property.equals("title"));
        EntityTable<Paid> table = EntityTable.of(client, PAID, bosses);
        table.insert(HALL);
        table.insert(new Paid("Sales", 2, "little", "Clerk"));
        assertThat(client.getEntity("Sales", "0001").getProperty("title")).isInstanceOf(byte[].class);
        assertThat(client.getEntity("Sales", "0002").getProperty("title")).isEqualTo("Clerk");
        // Reading needs no configuration of the encrypted properties.
        assertThat(paid.find(KEY).orElseThrow().value()).isEqualTo(HALL);
    }

    @Test
    void a_table_with_properties_to_encrypt_needs_a_key() {
        assertThatThrownBy(() -> EntityTable.of(client, Paid.class))
                .hasMessageContaining("give the table a PropertyEncryption");
    }
}
