package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.blob.StagedContent;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Block blobs, and uncommitted blocks. */
public abstract class BlockBlobContract extends BlobContract {
    protected BlockBlobContract(StoreOpener opener) {
        super(opener);
    }

    @Test
    void blocks_are_no_blob_until_they_are_committed_and_then_in_the_order_of_the_list() {
        putBlock("a", "1", text("one"));
        putBlock("a", "2", text("two"));
        putBlock("a", "3", text("three"));
        assertThat(findIfThere("a")).isEmpty();
        assertThat(blocks("a").blob()).isEmpty();
        assertThat(blocks("a").uncommitted()).containsExactly(new Block("1", 3), new Block("2", 3), new Block("3", 5));
        commit("a", latest("3", "1", "3"));
        assertThat(read("a")).isEqualTo(text("threeonethree"));
        assertThat(blocks("a").committed()).containsExactly(new Block("3", 5), new Block("1", 3), new Block("3", 5));
        assertThat(blocks("a").uncommitted()).isEmpty();
        assertThat(commitError("a", latest("2"))).isEqualTo(StorageError.INVALID_BLOCK_LIST);
    }

    @Test
    void a_list_chooses_among_committed_and_uncommitted_blocks() {
        putBlock("a", "1", text("old"));
        putBlock("a", "2", text("two"));
        commit("a", latest("1", "2"));
        putBlock("a", "1", text("new"));
        Wanted committed = new Wanted(Among.COMMITTED, "1");
        Wanted uncommitted = new Wanted(Among.UNCOMMITTED, "1");
        Wanted latest = new Wanted(Among.LATEST, "1");
        Wanted other = new Wanted(Among.LATEST, "2");
        assertThat(commitError("a", List.of(new Wanted(Among.UNCOMMITTED, "2"))))
                .isEqualTo(StorageError.INVALID_BLOCK_LIST);
        assertThat(commitError("a", List.of(new Wanted(Among.COMMITTED, "9"))))
                .isEqualTo(StorageError.INVALID_BLOCK_LIST);
        commit("a", List.of(committed, uncommitted, latest, other));
        assertThat(read("a")).isEqualTo(text("oldnewnewtwo"));
        assertThat(commitError("a", List.of(uncommitted))).isEqualTo(StorageError.INVALID_BLOCK_LIST);
    }

    @Test
    void a_block_put_again_is_the_new_one_and_the_old_one_is_reclaimed() {
        putBlock("a", "1", bytes(50_000));
        byte[] again = bytes(60_000);
        putBlock("a", "1", again);
        awaitContents(1);
        commit("a", latest("1"));
        assertThat(read("a")).isEqualTo(again);
        awaitContents(1);
    }

    @Test
    void committed_blocks_are_used_again_and_those_left_out_are_reclaimed() {
        byte[] first = bytes(40_000);
        putBlock("a", "1", first);
        putBlock("a", "2", bytes(40_000));
        putBlock("a", "3", bytes(40_000));
        commit("a", latest("1", "2"));
        awaitContents(2);
        byte[] fourth = bytes(40_000);
        putBlock("a", "4", fourth);
        commit("a", latest("4", "1"));
        awaitContents(2);
        assertThat(read("a")).isEqualTo(concat(List.of(fourth, first)));
    }

    @Test
    void an_empty_list_makes_an_empty_blob() {
        putBlock("a", "1", bytes(40_000));
        commit("a", List.of());
        assertThat(read("a")).isEmpty();
        assertThat(blocks("a").committed()).isEmpty();
        awaitContents(0);
    }

    @Test
    void ids_of_waiting_blocks_have_one_length() {
        putBlock("a", "aaaa", text("x"));
        assertThat(errorOf(blobs.blocks()
                        .putBlock(at("a"), "aaaaaaaa", Optional.empty(), StagedContent.inMemory(text("y"), 0, 1))))
                .isEqualTo(StorageError.INVALID_BLOB_OR_BLOCK);
        commit("a", latest("aaaa"));
        putBlock("a", "aaaaaaaa", text("y"));
        commit("a", latest("aaaaaaaa", "aaaa"));
        assertThat(read("a")).isEqualTo(text("yx"));
    }

    @Test
    void a_block_has_bytes() {
        StagedContent nothing = StagedContent.inMemory(new byte[0], 0, 0);
        assertThat(errorOf(blobs.blocks().putBlock(at("a"), "1", Optional.empty(), nothing)))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
        await(blobs.appends().create(at("b"), plain()));
        assertThat(errorOf(blobs.appends().append(at("b"), nothing, terms())))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
        append("b", text("x"));
        assertThat(errorOf(blobs.appends().append(at("b"), nothing, terms())))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
        assertThat(read("b")).isEqualTo(text("x"));
    }

    @Test
    void a_blob_put_whole_makes_waiting_blocks_void() {
        putBlock("a", "1", bytes(40_000));
        putBlock("a", "2", text("two"));
        put("a", text("whole"));
        assertThat(blocks("a").uncommitted()).isEmpty();
        assertThat(blocks("a").committed()).isEmpty();
        assertThat(commitError("a", latest("1"))).isEqualTo(StorageError.INVALID_BLOCK_LIST);
        awaitContents(0);
        assertThat(read("a")).isEqualTo(text("whole"));
    }

    @Test
    void a_deleted_blob_takes_waiting_blocks_with_it() {
        put("a", text("whole"));
        putBlock("a", "1", bytes(40_000));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        assertThat(errorOf(blobs.blocks().list(at("a"), OptionalLong.empty(), AccessConditions.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        awaitContents(0);
        putBlock("a", "1", bytes(40_000));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
        awaitContents(0);
        assertThat(errorOf(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
    }

    @Test
    void waiting_blocks_survive_a_restart() throws Exception {
        byte[] bytes = bytes(50_000);
        putBlock("a", "1", bytes);
        restart();
        putBlock("a", "2", text("two"));
        commit("a", latest("1", "2"));
        assertThat(read("a")).isEqualTo(concat(List.of(bytes, text("two"))));
    }

    @Test
    void commits_of_blocks_that_are_put_again_meanwhile_hold_what_they_say() throws Exception {
        putBlock("a", "1", bytes(40_000));
        Callable<Void> putting = () -> {
            for (int i = 0; i < times(60); i++) {
                putBlock("a", "1", bytes(40_000));
            }
            return null;
        };
        Callable<Void> committing = () -> {
            for (int i = 0; i < times(60); i++) {
                commit("a", latest("1"));
                assertThat(read("a")).hasSize(40_000);
            }
            return null;
        };
        together(List.of(putting, putting, committing));
        commit("a", latest("1"));
        awaitContents(1);
        assertThat(read("a")).hasSize(40_000);
    }
}
