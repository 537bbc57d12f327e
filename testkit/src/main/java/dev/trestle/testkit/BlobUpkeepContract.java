package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.Scrub;
import dev.trestle.blob.StagedContent;
import dev.trestle.engine.EngineException;
import dev.trestle.model.StorageError;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Contents that a stopped process left behind, and their removal by a scrub. */
public abstract class BlobUpkeepContract extends BlobContract {
    private static final int SMALL_BLOBS = 3000;

    private final Damager damager;

    /** How the contents of a store are damaged. */
    @FunctionalInterface
    public interface Damager {
        /** Changes a bit of every content that the store has; false when the test cannot reach them. */
        boolean damageContents() throws Exception;
    }

    protected BlobUpkeepContract(StoreOpener opener, Damager damager) {
        super(opener);
        this.damager = damager;
    }

    /** The findings of a scrub. */
    private static final class Found implements Scrub.Findings {
        private long bytes;
        private final List<String> damaged = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();

        @Override
        public synchronized void sound(long length) {
            bytes += length;
        }

        @Override
        public synchronized void damaged(String container, String blob, String what) {
            damaged.add(container + "/" + blob);
        }

        @Override
        public synchronized void removed(String container, String what) {
            removed.add(what);
        }
    }

    private Found scrub(boolean verify) {
        Found found = new Found();
        await(blobs.scrub().scrub(account, verify, found));
        return found;
    }

    @Test
    void a_scrub_reads_all_and_leaves_what_is_live() throws Exception {
        put("small", bytes(100));
        put("large", bytes(300_000));
        putBlock("blocks", "1", bytes(40_000));
        putBlock("blocks", "2", bytes(50));
        await(blobs.blocks()
                .commit(at("blocks"), List.of(new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "1")), plain()));
        putBlock("blocks", "3", bytes(40_000));
        await(blobs.appends().create(at("log"), plain()));
        append("log", bytes(70));
        append("log", bytes(50_000));
        await(blobs.snapshot(at("large"), AccessConditions.NONE, Map.of()));
        put("large", bytes(200));
        awaitContents(4);
        for (int round = 0; round < 2; round++) {
            Found found = scrub(true);
            assertThat(found.damaged).isEmpty();
            assertThat(found.removed).isEmpty();
            assertThat(found.bytes).isEqualTo(100 + 300_000 + 40_000 + 70 + 50_000 + 200);
            awaitContents(4);
            assertThat(scrub(false).bytes).isZero();
            restart();
        }
        await(blobs.blocks()
                .commit(at("blocks"), List.of(new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "3")), plain()));
        assertThat(read("blocks")).hasSize(40_000);
        assertThat(read("log")).hasSize(50_070);
    }

    @Test
    void a_scrub_tells_which_blobs_are_damaged() throws Exception {
        put("small", bytes(100));
        put("large", bytes(300_000));
        awaitContents(1);
        if (!damager.damageContents()) {
            return;
        }
        Found found = scrub(true);
        assertThat(found.damaged).containsExactly("logs/large");
        assertThat(found.bytes).isEqualTo(100);
    }

    @Test
    void a_damaged_content_is_not_read_to_its_end() throws Exception {
        put("large", bytes(300_000));
        awaitContents(1);
        if (!damager.damageContents()) {
            return;
        }
        for (int round = 1; round <= 2; round++) {
            assertFails(blobs.open(
                            at("large"),
                            OptionalLong.empty(),
                            AccessConditions.NONE,
                            blob -> new BlobService.Range(0, blob.length()))
                    .thenCompose(opened -> readAll(opened.reader())));
            assertThat(blobs.damagedReads()).isEqualTo(round);
        }
    }

    private static CompletionStage<Integer> readAll(BlobReader reader) {
        return reader.read(ByteBuffer.allocate(100_000))
                .thenCompose(read -> read == 0 ? CompletableFuture.completedFuture(0) : readAll(reader))
                .whenComplete((read, failure) -> reader.close());
    }

    @Test
    void a_scrub_tells_which_blobs_lack_a_content() {
        put("large", bytes(300_000));
        awaitContents(1);
        await(store.delete(container(), contents().get(0)));
        assertThat(scrub(true).damaged).containsExactly("logs/large");
    }

    private static void assertFails(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
    }

    @Test
    void what_a_stop_left_between_the_parts_and_the_blob_is_removed() throws Exception {
        put("a", bytes(100));
        StagedContent small = staged(at("a"), bytes(200));
        Runnable first = faulty.delayNext(FaultyEngine.Call.COMMIT);
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        CompletionStage<?> lost = blobs.blocks().put(at("a"), plain(), small);
        first.run();
        assertFails(lost);
        StagedContent large = staged(at("b"), bytes(50_000));
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertFails(blobs.blocks().put(at("b"), plain(), large));
        assertThat(scrub(true).removed).as("it may be somebody's yet").isEmpty();
        assertThat(read("a")).hasSize(100);
        restart();
        Found found = scrub(true);
        assertThat(found.removed).hasSize(1);
        assertThat(found.damaged).isEmpty();
        assertThat(found.bytes).isEqualTo(100);
        assertThat(read("a")).hasSize(100);
        assertThat(findIfThere("b")).isEmpty();
        assertThat(scrub(true).removed).isEmpty();
        assertThat(contents()).isEmpty();
    }

    @Test
    void what_nobody_speaks_of_is_removed() throws Exception {
        put("a", bytes(50_000));
        awaitContents(1);
        String name = contents().get(0);
        String stray = name.substring(0, name.length() - 1) + (name.endsWith("0") ? "1" : "0");
        await(store.copy(container(), name, container(), stray, new byte[] {1}));
        await(store.keep(container(), stray));
        assertThat(scrub(true).removed).isEmpty();
        restart();
        assertThat(scrub(true).removed).hasSize(1);
        assertThat(contents()).containsExactly(name);
        assertThat(read("a")).hasSize(50_000);
    }

    @Test
    void a_commit_whose_answer_was_lost_is_whole() throws Exception {
        StagedContent large = staged(at("a"), bytes(50_000));
        Runnable first = faulty.delayNext(FaultyEngine.Call.COMMIT);
        faulty.loseNextAnswer(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        CompletionStage<?> lost = blobs.blocks().put(at("a"), plain(), large);
        first.run();
        assertFails(lost);
        assertThat(read("a")).hasSize(50_000);
        restart();
        assertThat(scrub(true).bytes).isEqualTo(50_000);
        assertThat(read("a")).hasSize(50_000);
    }

    @Test
    void blocks_that_nobody_commits_are_discarded_after_a_week() {
        putBlock("a", "1", bytes(50_000));
        move(Duration.ofDays(6).toSeconds());
        putBlock("a", "2", bytes(50_000));
        scrub(false);
        awaitContents(2);
        move(Duration.ofDays(2).toSeconds());
        scrub(false);
        awaitContents(1);
        assertThat(errorOf(blobs.blocks()
                        .commit(at("a"), List.of(new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "1")), plain())))
                .isEqualTo(StorageError.INVALID_BLOCK_LIST);
        await(blobs.blocks().commit(at("a"), List.of(new BlockBlobs.Wanted(BlockBlobs.Among.LATEST, "2")), plain()));
    }

    @Test
    void a_deleted_container_is_reclaimed_after_a_stop() throws Exception {
        put("a", bytes(50_000));
        awaitContents(1);
        long container = container();
        faulty.failNext(FaultyEngine.Call.DROP, EngineException.Kind.UNAVAILABLE);
        await(blobs.containers().delete(account, LOGS, AccessConditions.NONE));
        assertThat(contents(container)).hasSize(1);
        restart();
        assertThat(contents(container)).isEmpty();
    }

    @Test
    void many_small_blobs_are_scrubbed_one_after_the_other() {
        for (int i = 0; i < times(SMALL_BLOBS); i++) {
            put("a" + i, new byte[] {1, 2});
        }
        assertThat(scrub(true).bytes).isEqualTo(2L * times(SMALL_BLOBS));
    }

    @Test
    void a_scrub_disturbs_nobody_and_is_not_disturbed() throws Exception {
        put("a", bytes(50_000));
        Thread writer = new Thread(() -> {
            for (int i = 0; i < times(100); i++) {
                put("a", bytes(50_000));
            }
        });
        writer.start();
        while (writer.isAlive()) {
            Found found = scrub(true);
            assertThat(found.damaged).isEmpty();
            assertThat(found.removed).isEmpty();
        }
        writer.join();
        awaitContents(1);
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        awaitContents(0);
    }
}
