package dev.trestle.patterns.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Round trips of values through entities. */
class MappingTest {
    enum Grade {
        JUNIOR,
        SENIOR
    }

    record Address(String street, int number, List<String> lines, Optional<String> country) {}

    static final class Euro implements Converter<BigDecimal, Long> {
        @Override
        public Long toStored(BigDecimal value) {
            return value.movePointRight(2).longValueExact();
        }

        @Override
        public BigDecimal fromStored(Long stored) {
            return BigDecimal.valueOf(stored, 2);
        }
    }

    @Entity(name = "Everything", version = 3)
    record Everything(
            @PartitionKey String partition,
            @RowKey("row_{number:000}") int number,
            @Property("Renamed") String text,
            boolean flag,
            long big,
            double real,
            float small,
            byte[] bytes,
            UUID id,
            Instant at,
            LocalDate day,
            Duration took,
            Grade grade,
            Optional<Grade> formerGrade,
            Optional<Integer> missing,
            @Converted(Euro.class) BigDecimal price,
            BigDecimal exact,
            Address address,
            Map<String, Set<Long>> nested,
            @Ignored int ignored) {}

    private static Everything everything() {
        return new Everything(
                "p",
                7,
                "text",
                true,
                1L << 40,
                0.1,
                1.5f,
                new byte[] {1, 2},
                new UUID(1, 2),
                Instant.parse("2014-08-22T00:50:32.1234567Z"),
                LocalDate.of(2014, 8, 22),
                Duration.ofMinutes(90),
                Grade.SENIOR,
                Optional.of(Grade.JUNIOR),
                Optional.empty(),
                new BigDecimal("12.34"),
                new BigDecimal("1.10"),
                new Address("Main \"Street\"", 1, List.of("a", "b"), Optional.empty()),
                Map.of("x", Set.of(Long.MAX_VALUE)),
                0);
    }

    @Test
    void every_kind_of_component_is_stored_in_a_type_of_the_service_and_read_back() {
        EntityType<Everything> type = EntityType.of(Everything.class);

        EntityRow row = type.toRow(everything());

        assertThat(row.key()).isEqualTo(new EntityKey("p", "row_007"));
        assertThat(row.properties())
                .containsEntry("Renamed", "text")
                .containsEntry("big", 1L << 40)
                .containsEntry("small", 1.5)
                .containsEntry("at", OffsetDateTime.parse("2014-08-22T00:50:32.1234567Z"))
                .containsEntry("day", "2014-08-22")
                .containsEntry("took", "PT1H30M")
                .containsEntry("grade", "SENIOR")
                .containsEntry("formerGrade", "JUNIOR")
                .containsEntry("price", 1234L)
                .containsEntry("exact", "1.10")
                .containsEntry("address", "{\"street\":\"Main \\\"Street\\\"\",\"number\":1,\"lines\":[\"a\",\"b\"]}")
                .containsEntry("nested", "{\"x\":[\"9223372036854775807\"]}")
                .containsEntry(EntityType.TYPE, "Everything")
                .containsEntry(EntityType.VERSION, 3)
                .doesNotContainKeys("missing", "ignored", "partition", "number");
        Everything read = type.fromRow(row).value();
        assertThat(read).usingRecursiveComparison().isEqualTo(everything());
    }

    @PartitionKey("all")
    @RowKey("{name}")
    static class Plain {
        private String name = "";
        private int count;

        private Plain() {}
    }

    @Test
    void a_plain_class_is_read_through_its_fields() {
        EntityType<Plain> type = EntityType.of(Plain.class);
        Plain plain = new Plain();
        plain.name = "a";
        plain.count = 3;
        Plain read = type.fromRow(type.toRow(plain)).value();
        assertThat(read.name).isEqualTo("a");
        assertThat(read.count).isEqualTo(3);
    }

    @PartitionKey("all")
    @RowKey("{id}")
    record Open(String id, @Extra Map<String, Object> more) {}

    @PartitionKey("all")
    @RowKey("{id}")
    @Entity(name = "Open")
    record Closed(String id) {}

    @Test
    void properties_that_no_component_has_are_kept() {
        EntityType<Open> open = EntityType.of(Open.class);
        EntityRow row = open.toRow(new Open("1", Map.of("Colour", "red", "Size", 4)));
        assertThat(row.properties()).containsEntry("Colour", "red");
        assertThat(open.fromRow(row).value().more()).isEqualTo(Map.of("Colour", "red", "Size", 4));
        assertThat(open.fromRow(row).unknownProperties()).isEmpty();

        Stored<Closed> closed = EntityType.of(Closed.class).fromRow(row);
        assertThat(closed.unknownProperties()).isEqualTo(Map.of("Colour", "red", "Size", 4));
    }

    @PartitionKey("all")
    @RowKey("{id}")
    @Entity(name = "Thing", version = 2)
    record Thing(String id, int metres) {}

    @Test
    void another_type_and_a_newer_version_are_refused_and_an_older_one_is_upgraded() {
        EntityType<Thing> type = EntityType.of(Thing.class);
        EntityKey key = new EntityKey("all", "1");
        assertThatThrownBy(() -> type.fromRow(EntityRow.of(key, Map.of(EntityType.TYPE, "Other"))))
                .isInstanceOf(EntityReadException.class)
                .hasMessageContaining("of type Other and not Thing");
        assertThatThrownBy(() -> type.fromRow(
                        EntityRow.of(key, Map.of(EntityType.TYPE, "Thing", EntityType.VERSION, 3, "metres", 1))))
                .hasMessageContaining("version 3 of Thing and only versions up to 2");

        EntityType<Thing> upgrading = type.upgradingFrom(1, old -> {
            old.put("metres", (Integer) old.getOrDefault("Kilometres", 0) * 1000);
            return old;
        });
        EntityRow old = EntityRow.of(key, Map.of(EntityType.TYPE, "Thing", EntityType.VERSION, 1, "Kilometres", 2));
        assertThat(upgrading.fromRow(old).value()).isEqualTo(new Thing("1", 2000));
        assertThatThrownBy(() -> type.fromRow(old)).hasMessageContaining("property metres is missing");
    }

    @Test
    void a_property_of_another_type_is_named() {
        EntityRow row = EntityRow.of(new EntityKey("all", "1"), Map.of("metres", "12"));
        assertThatThrownBy(() -> EntityType.of(Thing.class).fromRow(row))
                .isInstanceOf(EntityReadException.class)
                .hasMessageContaining("'all'/'1'")
                .hasMessageContaining("a String is stored where a Integer is expected");
    }

    sealed interface Animal {
        @PartitionKey("zoo")
        @RowKey("cat_{name}")
        record Cat(String name) implements Animal {}

        @PartitionKey("zoo")
        @RowKey("dog_{name}")
        @Entity(recorded = false)
        record Dog(String name, int legs) implements Animal {}
    }

    @Test
    void types_of_one_table_are_told_apart_by_what_is_recorded_or_else_by_their_keys() {
        EntityMapping<Animal> zoo = EntityMapping.of(Animal.class);
        for (Animal animal : List.of(new Animal.Cat("Tom"), new Animal.Dog("Rex", 3))) {
            assertThat(zoo.fromRow(zoo.toRow(animal)).value()).isEqualTo(animal);
        }
        EntityRow bird = EntityRow.of(new EntityKey("zoo", "bird"), Map.of());
        assertThatThrownBy(() -> zoo.fromRow(bird)).hasMessageContaining("records no type");
        assertThatThrownBy(() -> zoo.fromRow(bird.withProperties(Map.of(EntityType.TYPE, "Bird"))))
                .hasMessageContaining("type Bird and the family Animal has [Cat, Dog]");
    }

    @Test
    void the_same_value_under_other_keys_stores_what_those_keys_do_not_hold() {
        EntityType<Animal.Dog> byName = EntityType.of(Animal.Dog.class);
        EntityType<Animal.Dog> byLegs = byName.keyedBy("legs", "{legs:00}");
        EntityRow row = byLegs.toRow(new Animal.Dog("Rex", 3));
        assertThat(row.key()).isEqualTo(new EntityKey("legs", "03"));
        assertThat(row.properties()).isEqualTo(Map.of("name", "Rex"));
        assertThat(byLegs.fromRow(row).value()).isEqualTo(new Animal.Dog("Rex", 3));
    }
}
