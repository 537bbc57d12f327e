package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.table.json.EntityReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EntitiesTest {
    private static byte[] json(long row) {
        return Entities.json(Entities.partitionKey(42), row);
    }

    @Test
    void an_entity_is_read_by_the_server_and_has_its_keys() {
        byte[] json = json(123);
        EntityReader entity = EntityReader.read(json, 0, json.length);
        assertThat(entity.partitionKey()).hasValue("partition000042");
        assertThat(entity.rowKey()).hasValue(Entities.rowKey(123)).hasValue("row0000000123");
        assertThat(entity.row()).isNotEmpty();
    }

    @Test
    void an_entity_has_about_six_hundred_bytes() {
        assertThat(json(0).length).isBetween(500, 650);
        assertThat(json(9_999_999_999L).length).isBetween(550, 650);
    }

    @Test
    void ten_of_a_partition_have_any_one_age() {
        Map<String, Long> ages = LongStream.range(0, DataSet.PARTITION_ROWS)
                .mapToObj(row -> new String(json(row), StandardCharsets.UTF_8).replaceAll(".*\"Age\":(\\d+),.*", "$1"))
                .collect(Collectors.groupingBy(age -> age, Collectors.counting()));
        assertThat(ages).hasSize(Entities.AGES);
        assertThat(ages.values()).containsOnly(10L);
    }
}
