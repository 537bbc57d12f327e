package dev.trestle.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.FileSystemContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the store, and the recovery of those that a power failure left incomplete. */
class LocalContentStoreTest {
    private static final long COLLECTION = 0x0102_0304_0506_0708L;
    private static final String SEALED = "incoming/0102030405060708-c";
    private static final byte[] OWNER = {7};

    @TempDir
    private Path data;

    private ContentStore open() {
        return LocalContentStore.open(data, true);
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static EngineException.Kind failureOf(CompletionStage<?> stage) {
        return stage.handle((value, failure) -> ((EngineException) failure).kind())
                .toCompletableFuture()
                .join();
    }

    private static void seal(ContentStore store, String name) {
        ContentStore.Sink sink = store.create(COLLECTION, name, piece -> {});
        await(sink.write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
        await(sink.seal(OWNER));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> data.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static void resolve(ContentStore store, boolean held) {
        await(store.resolve((owner, collection, name) -> CompletableFuture.completedFuture(held)));
    }

    @Test
    void a_content_has_one_file_from_beginning_to_end_and_its_owner_one_for_a_while() throws IOException {
        try (ContentStore store = open()) {
            ContentStore.Sink sink = store.create(COLLECTION, "c", piece -> {});
            await(sink.write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
            assertThat(files()).containsExactly(SEALED + ".part");
            await(sink.seal(OWNER));
            assertThat(files()).containsExactly(SEALED, SEALED + ".owner");
            await(store.keep(COLLECTION, "c"));
            assertThat(files()).containsExactly("content/0102030405060708/6f/c");
            assertThat(data.resolve(files().get(0))).hasBinaryContent(new byte[] {1, 2, 3});
        }
    }

    @Test
    void a_copy_is_a_second_name_of_the_same_file() throws IOException {
        try (ContentStore store = open()) {
            seal(store, "c");
            await(store.copy(COLLECTION, "c", COLLECTION, "d", OWNER));
        }
        Object key = Files.getAttribute(data.resolve(SEALED), "unix:ino");
        assertThat(Files.getAttribute(data.resolve("incoming/0102030405060708-d"), "unix:ino"))
                .isEqualTo(key);
    }

    @Test
    void one_whose_move_was_lost_but_not_the_deletion_of_its_owners_file_is_kept_all_the_same() throws IOException {
        try (ContentStore store = open()) {
            seal(store, "c");
        }
        Files.delete(data.resolve(SEALED + ".owner"));
        try (ContentStore store = open()) {
            resolve(store, false);
            assertThat(files()).containsExactly("content/0102030405060708/6f/c");
        }
    }

    @Test
    void one_whose_owner_is_damaged_is_not_given_up() throws IOException {
        try (ContentStore store = open()) {
            seal(store, "c");
        }
        Path owner = data.resolve(SEALED + ".owner");
        byte[] damaged = Files.readAllBytes(owner);
        damaged[1] ^= 1;
        Files.write(owner, damaged);
        try (ContentStore store = open()) {
            resolve(store, false);
            assertThat(files()).containsExactly("content/0102030405060708/6f/c");
        }
    }

    @Test
    void what_was_never_sealed_goes_and_what_is_not_ours_stays() throws IOException {
        try (ContentStore store = open()) {
            seal(store, "other");
            await(store.delete(COLLECTION, "other"));
        }
        Files.write(data.resolve(SEALED + ".part"), new byte[] {1});
        Files.write(data.resolve(SEALED + ".owner"), new byte[] {1});
        Files.write(data.resolve("incoming/0102030405060709-d.owner"), new byte[0]);
        Files.write(data.resolve("incoming/notes.txt"), new byte[0]);
        Files.createDirectories(data.resolve("dropped/0102030405060708-x/00"));
        Files.write(data.resolve("dropped/0102030405060708-x/00/c"), new byte[] {1});
        try (ContentStore store = open()) {
            resolve(store, true);
        }
        assertThat(files()).containsExactly("incoming/notes.txt");
    }

    @Test
    void more_than_may_be_open_at_once_are_refused_as_overload() {
        try (ContentStore store = LocalContentStore.open(
                data, false, FileSystemContentStore.Settings.alone().withOpenMax(3))) {
            seal(store, "c");
            List<ContentStore.Source> sources = new ArrayList<>();
            sources.add(await(store.open(COLLECTION, "c")));
            sources.add(await(store.open(COLLECTION, "c")));
            ContentStore.Sink sink = store.create(COLLECTION, "d", piece -> {});
            await(sink.write(ByteBuffer.allocate(1)));
            assertThat(failureOf(store.open(COLLECTION, "c"))).isEqualTo(EngineException.Kind.OVERLOADED);
            assertThat(failureOf(store.create(COLLECTION, "e", piece -> {}).write(ByteBuffer.allocate(1))))
                    .isEqualTo(EngineException.Kind.OVERLOADED);
            await(sink.seal(OWNER));
            for (int i = 0; i < 10; i++) {
                assertThat(failureOf(store.open(COLLECTION, "missing"))).isEqualTo(EngineException.Kind.CORRUPT);
            }
            sources.add(await(store.open(COLLECTION, "d")));
            sources.forEach(ContentStore.Source::close);
            sources.forEach(ContentStore.Source::close);
            for (int i = 0; i < 10; i++) {
                ContentStore.Sink abandoned = store.create(COLLECTION, "f" + i, piece -> {});
                await(abandoned.write(ByteBuffer.allocate(1)));
                abandoned.abandon();
                awaitRoom(store, 3);
            }
        }
    }

    /** Waits until an abandoned content is removed. */
    private static void awaitRoom(ContentStore store, int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        List<ContentStore.Source> sources = new ArrayList<>();
        while (sources.size() < count) {
            assertThat(System.nanoTime() - deadline).isNegative();
            store.open(COLLECTION, "c")
                    .handle((source, failure) -> failure == null && sources.add(source))
                    .toCompletableFuture()
                    .join();
        }
        sources.forEach(ContentStore.Source::close);
    }

    @Test
    void a_folder_that_cannot_be_used_is_refused_with_a_sentence() throws IOException {
        Path file = Files.createFile(data.resolve("file"));
        assertThatThrownBy(() -> LocalContentStore.open(file, true))
                .isInstanceOf(EngineException.class)
                .hasMessageStartingWith("The folder " + file + " cannot be used: ");
    }
}
