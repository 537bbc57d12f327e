package dev.trestle.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.testkit.SmallDisk;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A full disk. */
class FullContentDiskTest {
    private static final long COLLECTION = -1;
    private static final int PIECE_BYTES = 300_000;

    @TempDir
    private Path folder;

    @Test
    @EnabledIf(value = "dev.trestle.testkit.SmallDisk#canBeMounted", disabledReason = "may not mount file systems")
    void a_content_that_does_not_fit_is_refused_and_gives_its_room_back() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, "2m");
                ContentStore store = LocalContentStore.open(disk.folder(), true)) {
            ContentStore.Sink small = store.create(COLLECTION, "small", piece -> {});
            await(small.write(ByteBuffer.allocate(PIECE_BYTES)));
            ContentStore.Sink large = store.create(COLLECTION, "large", piece -> {});
            EngineException refusal = fill(large);
            assertThat(refusal.kind()).isEqualTo(EngineException.Kind.FULL);
            assertThat(refusal).hasMessage("The disk is full.");
            large.abandon();
            try (Stream<Path> left = Files.list(folder.resolve("incoming"))) {
                assertThat(left).hasSize(1);
            }
            await(small.write(ByteBuffer.allocate(PIECE_BYTES)));
            await(small.seal(new byte[] {1}));
            await(store.keep(COLLECTION, "small"));
            try (ContentStore.Source source = await(store.open(COLLECTION, "small"))) {
                await(source.read(0, ByteBuffer.allocate(2 * PIECE_BYTES)));
            }
        }
    }

    private static EngineException fill(ContentStore.Sink sink) {
        while (true) {
            Object answer = sink.write(ByteBuffer.allocateDirect(PIECE_BYTES))
                    .handle((nothing, failure) -> (Object) (failure == null ? "written" : failure))
                    .toCompletableFuture()
                    .join();
            if (answer instanceof EngineException refusal) {
                return refusal;
            }
            assertThat(answer).isEqualTo("written");
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
