package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

    @Test
    void obsolete_files_are_deleted_in_pieces_and_not_at_once() throws Exception {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(32L << 20);
        try (WatchService changes = temporary.getFileSystem().newWatchService();
                Store store = new Store(config, temporary.toString())) {
            temporary.register(changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            byte[] mebibyte = new byte[1 << 20];
            new Random(1).nextBytes(mebibyte);
            // Several memtables. The log of each is obsolete once it has been flushed.
            for (int i = 0; i < 20; i++) {
                Batch batch = new Batch();
                batch.put(bytes("k" + i), mebibyte);
                write(store, batch);
            }
            await(changes, ".log.trash", StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
        }
    }

    @Test
    void obsolete_files_that_were_left_when_a_server_was_killed_are_deleted() throws Exception {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(32L << 20);
        new Store(config, temporary.toString()).close();
        Files.write(temporary.resolve("000001.sst.trash"), VALUE);
        try (WatchService changes = temporary.getFileSystem().newWatchService()) {
            temporary.register(changes, StandardWatchEventKinds.ENTRY_DELETE);
            try (Store store = new Store(config, temporary.toString())) {
                await(changes, "000001.sst.trash", StandardWatchEventKinds.ENTRY_DELETE);
                assertThat(freeUntil(store, "a")).isEqualTo("z");
            }
        }
    }

    /** Waits until files whose names end like this have changed in each of these ways. */
    private static void await(WatchService changes, String nameEnd, WatchEvent.Kind<?>... kinds)
            throws InterruptedException {
        Set<WatchEvent.Kind<?>> missing = new HashSet<>(List.of(kinds));
        while (!missing.isEmpty()) {
            WatchKey key = changes.poll(1, TimeUnit.MINUTES);
            assertThat(key).as("change of *%s: %s", nameEnd, missing).isNotNull();
            key.pollEvents().stream()
                    .filter(event -> String.valueOf(event.context()).endsWith(nameEnd))
                    .forEach(event -> missing.remove(event.kind()));
            key.reset();
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
