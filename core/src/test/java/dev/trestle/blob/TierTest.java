package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.Tier.Priority;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import org.junit.jupiter.api.Test;

class TierTest {
    private static final long NOW = 1_000;
    private static final long TAKES = 50;

    private final Tier archived = Tier.DEFAULT.set("Archive", Priority.STANDARD, NOW, TAKES);

    private static StorageError errorOf(Runnable call) {
        return catchThrowableOfType(StorageException.class, call::run).error();
    }

    @Test
    void tiers_that_are_online_change_at_once() {
        Tier cool = Tier.DEFAULT.set("Cool", Priority.STANDARD, NOW, TAKES);
        assertThat(cool).isEqualTo(new Tier("Cool", NOW));
        assertThat(cool.set("Hot", Priority.HIGH, NOW + 1, TAKES)).isEqualTo(new Tier("Hot", NOW + 1));
        assertThatCode(() -> cool.requireOnline(NOW)).doesNotThrowAnyException();
    }

    @Test
    void an_archived_blob_is_neither_read_nor_changed() {
        assertThat(errorOf(() -> archived.requireOnline(NOW))).isEqualTo(StorageError.BLOB_ARCHIVED);
        assertThat(archived.set("Archive", Priority.STANDARD, NOW + 1, TAKES)).isEqualTo(archived);
    }

    @Test
    void leaving_the_archive_takes_a_while() {
        Tier leaving = archived.set("Cool", Priority.STANDARD, NOW + 1, TAKES);
        assertThat(leaving.at(NOW + TAKES)).isEqualTo(leaving);
        assertThat(leaving.name()).isEqualTo("Archive");
        assertThat(leaving.rehydration().orElseThrow().status()).isEqualTo("rehydrate-pending-to-cool");
        assertThat(errorOf(() -> leaving.requireOnline(NOW + TAKES))).isEqualTo(StorageError.BLOB_BEING_REHYDRATED);
        assertThat(leaving.at(NOW + 1 + TAKES)).isEqualTo(new Tier("Cool", NOW + 1 + TAKES));
        assertThatCode(() -> leaving.requireOnline(NOW + 1 + TAKES)).doesNotThrowAnyException();
    }

    @Test
    void on_the_way_out_of_the_archive_only_the_priority_can_be_raised() {
        Tier leaving = archived.set("Cool", Priority.STANDARD, NOW + 1, TAKES);
        for (String other : new String[] {"Hot", "Archive"}) {
            assertThat(errorOf(() -> leaving.set(other, Priority.STANDARD, NOW + 2, TAKES)))
                    .isEqualTo(StorageError.BLOB_BEING_REHYDRATED);
        }
        Tier raised = leaving.set("Cool", Priority.HIGH, NOW + 2, TAKES);
        assertThat(raised.rehydration().orElseThrow().priority()).isEqualTo(Priority.HIGH);
        assertThat(raised.rehydration().orElseThrow().done()).isEqualTo(NOW + 1 + TAKES);
        assertThat(raised.set("Cool", Priority.STANDARD, NOW + 3, TAKES)).isEqualTo(raised);
    }
}
