package dev.trestle.patterns.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Invalid declarations, whose errors list all problems and how to fix them. */
class DefinitionErrorsTest {
    private static List<String> complaints(Class<?> type) {
        EntityDefinitionException error =
                catchThrowableOfType(EntityDefinitionException.class, () -> EntityMapping.of(type));
        assertThat(error).hasMessageContaining(type.getName());
        return error.complaints();
    }

    record NoKeys(String a) {}

    @Test
    void a_class_without_keys_is_told_which_to_add() {
        assertThat(complaints(NoKeys.class))
                .hasSize(2)
                .anyMatch(text -> text.contains("no @PartitionKey"))
                .anyMatch(text -> text.contains("no @RowKey"));
    }

    @PartitionKey("{nobody}")
    @RowKey("{id}_{at}_{maybe}_{secret}")
    record BadKeys(
            int id,
            Instant at,
            Optional<String> maybe,
            @Encrypted String secret) {}

    @Test
    void every_mistake_in_templates_is_listed_with_its_remedy() {
        assertThat(complaints(BadKeys.class))
                .anyMatch(text -> text.contains("{nobody}") && text.contains("id, at, maybe, secret"))
                .anyMatch(text -> text.contains("{id:000000}"))
                .anyMatch(text -> text.contains("{at:inverted}"))
                .anyMatch(text -> text.contains("cannot be Optional"))
                .anyMatch(text -> text.contains("cannot be @Encrypted"))
                .hasSize(5);
    }

    @PartitionKey("p")
    @RowKey("r")
    record BadProperties(
            @Property("not a name") String a,
            @Property("Timestamp") String b,
            @Property("Same") String c,
            @Property("Same") String d,
            @Encrypted int e,
            @Extra List<String> f) {}

    @Test
    void every_mistake_in_properties_is_listed_with_its_remedy() {
        assertThat(complaints(BadProperties.class))
                .anyMatch(text -> text.contains("\"not a name\""))
                .anyMatch(text -> text.contains("the service's own"))
                .anyMatch(text -> text.contains("two attributes would be the property Same"))
                .anyMatch(text -> text.contains("e is @Encrypted and stored as Integer"))
                .anyMatch(text -> text.contains("has to be a Map<String, Object>"))
                .hasSize(5);
    }

    @PartitionKey("p")
    @RowKey("r")
    record Unstorable(Thread thread) {}

    @PartitionKey("p")
    @RowKey("{open")
    record Unclosed(String a) {}

    @PartitionKey("p")
    @RowKey("r")
    static class FinalField {
        final int count = Integer.parseInt("1");
    }

    @PartitionKey("p")
    @RowKey("r")
    static class NoConstructor {
        NoConstructor(int count) {
            assertThat(count).isPositive();
        }
    }

    record Node(Map<String, Node> children) {}

    @PartitionKey("p")
    @RowKey("r")
    record Endless(Node node) {}

    @Test
    void what_cannot_be_stored_or_made_is_refused_with_the_reason() {
        assertThat(complaints(Unstorable.class)).anyMatch(text -> text.contains("java.lang.Thread"));
        assertThat(complaints(Unclosed.class)).anyMatch(text -> text.contains("opens a brace"));
        assertThat(complaints(FinalField.class)).anyMatch(text -> text.contains("count is final"));
        assertThat(complaints(NoConstructor.class))
                .anyMatch(text -> text.contains("no constructor without parameters"));
        assertThat(complaints(Endless.class)).anyMatch(text -> text.contains("contains itself"));
        assertThat(complaints(Runnable.class)).anyMatch(text -> text.contains("neither a record nor a plain class"));
    }

    sealed interface Twins {
        @PartitionKey("p")
        @RowKey("a")
        @Entity(name = "Twin")
        record A(int x) implements Twins {}

        @PartitionKey("p")
        @RowKey("b")
        @Entity(name = "Twin")
        record B(int x) implements Twins {}
    }

    @Test
    void two_types_of_one_name_are_refused() {
        assertThat(complaints(Twins.class)).containsExactly("B and A are both named Twin: rename one with @Entity");
    }
}
