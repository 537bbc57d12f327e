package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

class StoreTest {
    private static final RocksEngineConfig CONFIG = RocksEngineConfig.inMemory().withMemoryBytes(32L << 20);
    private static final byte[] VALUE = {1};

    @TempDir
    private Path temporary;

    @Test
    void a_stretch_without_rows_ends_at_the_next_row_or_at_the_end() throws Exception {
        try (Store store = Store.inMemory(CONFIG)) {
            put(store, "b");
            put(store, "d");
            assertThat(freeUntil(store, "a")).isEqualTo("b");
            assertThat(freeUntil(store, "b")).isEqualTo("b");
            assertThat(freeUntil(store, "c")).isEqualTo("d");
            assertThat(freeUntil(store, "e")).isEqualTo("z");
        }
    }

    @Test
    void a_few_deleted_rows_are_gone_over_and_many_are_not() throws Exception {
        try (Store store = Store.inMemory(CONFIG)) {
            deleted(store, 0, 10);
            assertThat(freeUntil(store, "a")).isEqualTo("z");
            deleted(store, 10, 1000);
            assertThat(freeUntil(store, "a")).isEqualTo("a");
        }
    }

    @Test
    void a_stretch_is_not_looked_for_on_the_disk() throws Exception {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(32L << 20);
        try (Store store = new Store(config, temporary.toString())) {
            put(store, "b");
        }
        // Opening twice moves the row from the log to an SST file that is not cached.
        new Store(config, temporary.toString()).close();
        try (Store store = new Store(config, temporary.toString())) {
            assertThat(freeUntil(store, "a")).isEqualTo("a");
            store.get(bytes("b"), new byte[1]);
            assertThat(freeUntil(store, "a")).isEqualTo("b");
        }
    }

    private static String freeUntil(Store store, String start) throws RocksDBException {
        return new String(store.freeUntil(bytes(start), bytes("z")), StandardCharsets.US_ASCII);
    }

    private static void deleted(Store store, int from, int to) throws RocksDBException {
        for (int i = from; i < to; i++) {
            String key = String.format("k%04d", i);
            put(store, key);
            Batch batch = new Batch();
            batch.delete(bytes(key));
            write(store, batch);
        }
    }

    private static void put(Store store, String key) throws RocksDBException {
        Batch batch = new Batch();
        batch.put(bytes(key), VALUE);
        write(store, batch);
    }

    private static void write(Store store, Batch batch) throws RocksDBException {
        try (WriteBatch writeBatch = batch.toWriteBatch()) {
            store.write(writeBatch);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
