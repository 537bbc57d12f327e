package dev.trestle.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.blob.ContentCopy;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentCopyTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;
    private static final long TABLE = 0x0102_0304_0506_0709L;

    @TempDir
    private Path from;

    @TempDir
    private Path to;

    private ContentStore source;
    private ContentStore target;

    @BeforeEach
    void open() {
        source = LocalContentStore.open(from, false);
        target = LocalContentStore.open(to, false);
    }

    @AfterEach
    void close() {
        source.close();
        target.close();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static byte[] put(ContentStore store, String name, int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        ContentStore.Sink sink = store.create(CONTAINER, name, piece -> {});
        await(sink.write(ByteBuffer.wrap(bytes)));
        await(sink.seal(new byte[] {1}));
        await(store.keep(CONTAINER, name));
        return bytes;
    }

    private byte[] copied(String name, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (ContentStore.Source content = await(target.open(CONTAINER, name))) {
            await(content.read(0, bytes));
        }
        return bytes.array();
    }

    @Test
    void contents_of_any_length_are_copied_byte_by_byte() {
        byte[] several = put(source, "a", 700_001);
        byte[] whole = put(source, "b", 1 << 18);
        byte[] few = put(source, "c", 3);

        LongAdder told = new LongAdder();
        ContentCopy copy = new ContentCopy(source, () -> target, told::add);
        copy.copy(TABLE);
        copy.copy(CONTAINER);

        assertThat(copied("a", several.length)).isEqualTo(several);
        assertThat(copied("b", whole.length)).isEqualTo(whole);
        assertThat(copied("c", few.length)).isEqualTo(few);
        assertThat(copy.contents()).isEqualTo(3);
        assertThat(told.sum()).isEqualTo(700_001 + (1 << 18) + 3);
    }

    @Test
    void a_copy_that_was_broken_off_is_begun_again() throws IOException {
        byte[] content = put(source, "a", 700_001);
        put(target, "a", 5);
        Files.write(to.resolve("incoming/0102030405060708-a.part"), new byte[] {1});

        new ContentCopy(source, () -> target, bytes -> {}).copy(CONTAINER);

        assertThat(copied("a", content.length)).isEqualTo(content);
        assertThat(to.resolve("incoming")).isEmptyDirectory();
    }

    @Test
    void nobody_is_asked_for_a_place_when_there_is_nothing_to_copy() {
        ContentCopy copy = new ContentCopy(
                source,
                () -> {
                    throw new AssertionError("asked");
                },
                bytes -> {});
        copy.copy(CONTAINER);
        assertThat(copy.contents()).isZero();
    }

    @Test
    void what_keeps_a_content_from_being_copied_is_told() {
        put(source, "a", 3);
        ContentCopy copy = new ContentCopy(
                source,
                () -> {
                    throw new EngineException(EngineException.Kind.UNAVAILABLE, "There is no place.");
                },
                bytes -> {});
        assertThatThrownBy(() -> copy.copy(CONTAINER))
                .isInstanceOf(EngineException.class)
                .hasMessage("There is no place.");
    }
}
