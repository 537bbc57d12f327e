package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ReclaimerTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;

    private final List<Throwable> troubles = new ArrayList<>();
    private final FaultyEngine engine = new FaultyEngine(new ModelEngine(() -> Instant.parse("2026-07-31T18:00:00Z")));
    private final BlobRowStore rows = new BlobRowStore(engine);
    private final ModelContents contents = new ModelContents();
    private final Reclaimer reclaimer = new Reclaimer(rows, contents, new ContentPins(), false, troubles::add);

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** A content of the store. */
    private void keep(String content) {
        ContentStore.Sink sink = contents.create(CONTAINER, content, piece -> {});
        await(sink.write(ByteBuffer.allocate(10)));
        await(sink.seal(BlobRowCodec.owner(CONTAINER, "a")));
        await(contents.keep(CONTAINER, content));
    }

    private List<String> kept() {
        List<String> names = new ArrayList<>();
        await(contents.names(CONTAINER, names::add));
        return names;
    }

    private void write(String partition, Key key, byte[] row) {
        assertThat(await(rows.commit(CONTAINER, partition, List.of(new Write.Put(key, row, Precondition.NONE)))))
                .isTrue();
    }

    private void putBlock(String id, String content) {
        Part block = new Part(id, 40_000, 0, new Part.Stored(content));
        write(
                BlobRowCodec.blocksPartition("a"),
                BlobRowCodec.blockKey(CONTAINER, "a", id),
                BlobRowCodec.encode(block, 1));
    }

    /** Adds a content to a manifest. */
    private void file(String manifest, String content) {
        Part part = new Part("b1", 40_000, 0, new Part.Stored(content));
        write(
                BlobRowCodec.partsPartition(manifest, "a"),
                BlobRowCodec.partKey(CONTAINER, manifest, "a", 40_000),
                BlobRowCodec.encode(part));
    }

    /** Makes the blob refer to the manifest. */
    private void hold(String manifest) {
        Blob blob = new Blob(
                "a",
                OptionalLong.empty(),
                BlobType.BLOCK,
                1,
                1,
                1,
                new Blob.ContentRef(manifest, 1, 40_000),
                0,
                false,
                ContentHeaders.NONE,
                Map.of(),
                Tier.DEFAULT,
                Lease.NONE,
                Optional.empty(),
                BlobTags.NONE);
        write(
                BlobRowCodec.partition("a"),
                BlobRowCodec.key(CONTAINER, "a", OptionalLong.empty()),
                BlobRowCodec.encode(blob));
    }

    /** Delays a scan, after a number of others, until the returned action runs. */
    private Runnable delayScanAfter(int others) {
        for (int i = 0; i < others; i++) {
            engine.delayNext(FaultyEngine.Call.SCAN).run();
        }
        return engine.delayNext(FaultyEngine.Call.SCAN);
    }

    private boolean isReferenced(String blob, String content) {
        return await(reclaimer.isReferenced(BlobRowCodec.owner(CONTAINER, blob), CONTAINER, content));
    }

    @Test
    void a_block_that_waits_holds_its_content_from_one_process_to_the_next() {
        putBlock("b1", "c1");
        assertThat(isReferenced("a", "c1")).isTrue();
        assertThat(isReferenced("a", "c2")).isFalse();
        assertThat(isReferenced("b", "c1")).isFalse();
        assertThat(troubles).isEmpty();
    }

    @Test
    void what_a_blob_holds_is_not_taken_away_while_somebody_else_looks_for_it() {
        keep("c1");
        file("m1", "c1");
        file("m2", "c1");
        hold("m2");
        // The scans are those of versions, m1, blocks and versions, and then of m2, where the content is found.
        Runnable looksIntoM2 = delayScanAfter(4);
        CompletionStage<Boolean> first = reclaimer.remove(CONTAINER, "a", "m1");
        file("m3", "c1");
        hold("m3");
        CompletionStage<Boolean> second = reclaimer.remove(CONTAINER, "a", "m2");
        looksIntoM2.run();
        assertThat(await(first)).isTrue();
        assertThat(await(second)).isTrue();
        assertThat(kept()).containsExactly("c1");
    }

    @Test
    void a_block_that_is_committed_while_somebody_looks_for_its_content_is_seen() {
        keep("c1");
        file("m1", "c1");
        putBlock("b1", "c1");
        // The scans are those of versions and m1, then of blocks, and then of versions again.
        Runnable looksAgain = delayScanAfter(3);
        CompletionStage<Boolean> removed = reclaimer.remove(CONTAINER, "a", "m1");
        file("m2", "c1");
        hold("m2");
        assertThat(await(rows.commit(
                        CONTAINER,
                        BlobRowCodec.blocksPartition("a"),
                        List.of(new Write.Delete(BlobRowCodec.blockKey(CONTAINER, "a", "b1"), Precondition.PRESENT)))))
                .isTrue();
        looksAgain.run();
        assertThat(await(removed)).isTrue();
        assertThat(kept()).containsExactly("c1");
    }
}
