package dev.trestle.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that has no more room, which needs to be allowed to mount one. */
class FullContentDiskTest {
    private static final long COLLECTION = -1;
    private static final int PIECE_BYTES = 300_000;

    @TempDir
    private Path folder;

    @Test
    void a_content_that_does_not_fit_is_refused_and_gives_its_room_back() throws Exception {
        Assumptions.assumeTrue(
                command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder.toString()) == 0,
                "needs to be allowed to mount");
        try (ContentStore store = LocalContentStore.open(folder, true)) {
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
        } finally {
            assertThat(command("umount", folder.toString())).isZero();
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

    private static int command(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
