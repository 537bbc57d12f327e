package dev.trestle.server.table.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.keyspace.Key;
import dev.trestle.model.StorageException;
import java.util.List;

/** Any body is refused, or becomes a row that is written and read again as the same row. */
class EntityJsonFuzzTest {
    @FuzzTest
    void any_body_is_an_entity_or_refused(byte[] input) {
        byte[] row;
        try {
            EntityReader entity = EntityReader.read(input, 0, input.length);
            row = entity.row();
            entity.partitionKey();
            entity.rowKey();
        } catch (StorageException e) {
            assertThat(e.error().status()).isEqualTo(400);
            return;
        }
        byte[] json = new EntityWriter("acct", "http://h", "orders", MetadataLevel.FULL, List.of())
                .one(Key.of(-1, "p", "r"), row)
                .toBytes();
        assertThat(EntityReader.read(json, 0, json.length).row()).isEqualTo(row);
    }
}
