package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.Guard;
import dev.trestle.blob.Staged;
import dev.trestle.engine.EngineException;
import dev.trestle.model.StorageError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Blobs that grow at their end, by any number of writers. */
public abstract class AppendBlobContract extends BlobContract {
    protected AppendBlobContract(StoreOpener opener) {
        super(opener);
    }

    @Test
    void blobs_have_the_type_they_were_made_with() {
        put("block", text("x"));
        await(blobs.appends().create(at("append"), plain()));
        assertThat(errorOf(blobs.appends().create(at("block"), plain()))).isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(errorOf(blobs.appends().append(at("block"), Staged.inMemory(text("x"), 0, 1), terms())))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(putError("append", Guard.NONE)).isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(errorOf(
                        blobs.blocks().putBlock(at("append"), "1", Optional.empty(), Staged.inMemory(text("x"), 0, 1))))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(commitError("append", List.of())).isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(errorOf(blobs.blocks().list(at("append"), OptionalLong.empty(), Guard.NONE)))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
    }

    @Test
    void what_is_appended_lies_at_the_end() throws Exception {
        Blob made = await(blobs.appends().create(at("log"), plain()));
        List<byte[]> blocks = List.of(bytes(10), bytes(50_000), bytes(INLINE_MAX), bytes(1));
        long length = 0;
        int count = 0;
        for (byte[] block : blocks) {
            AppendBlobs.Appended appended = append("log", block);
            assertThat(appended.offset()).isEqualTo(length);
            length += block.length;
            assertThat(appended.blob().length()).isEqualTo(length);
            assertThat(appended.blob().appends()).isEqualTo(++count);
            assertThat(appended.blob().modified()).isGreaterThan(made.modified());
        }
        restart();
        assertThat(append("log", bytes(7)).offset()).isEqualTo(length);
        assertThat(Arrays.copyOf(read("log"), (int) length)).isEqualTo(concat(blocks));
    }

    @Test
    void appends_hold_to_their_terms() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("12345"));
        Staged more = Staged.inMemory(text("678"), 0, 3);
        assertThat(errorOf(blobs.appends()
                        .append(
                                at("log"),
                                more,
                                new AppendBlobs.Terms(Guard.NONE, OptionalLong.of(4), OptionalLong.empty()))))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        assertThat(errorOf(blobs.appends()
                        .append(
                                at("log"),
                                more,
                                new AppendBlobs.Terms(Guard.NONE, OptionalLong.empty(), OptionalLong.of(7)))))
                .isEqualTo(StorageError.MAX_BLOB_SIZE_CONDITION_NOT_MET);
        await(blobs.appends()
                .append(at("log"), more, new AppendBlobs.Terms(Guard.NONE, OptionalLong.of(5), OptionalLong.of(8))));
        assertThat(read("log")).isEqualTo(text("12345678"));
        assertThat(errorOf(blobs.appends().append(at("none"), more, terms()))).isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(errorOf(blobs.appends().seal(at("log"), Guard.NONE, OptionalLong.of(3))))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        assertThat(await(blobs.appends().seal(at("log"), Guard.NONE, OptionalLong.of(8)))
                        .sealed())
                .isTrue();
        assertThat(errorOf(blobs.appends().append(at("log"), more, terms()))).isEqualTo(StorageError.BLOB_IS_SEALED);
        assertThat(read("log")).isEqualTo(text("12345678"));
    }

    @Test
    void a_refused_append_leaves_nothing_in_the_store() {
        await(blobs.appends().create(at("log"), plain()));
        AppendBlobs.Terms never = new AppendBlobs.Terms(Guard.NONE, OptionalLong.of(4), OptionalLong.empty());
        assertThat(errorOf(blobs.appends().append(at("log"), staged(at("log"), bytes(50_000)), never)))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        append("log", bytes(50_000));
        awaitContents(1);
    }

    @Test
    void an_append_blob_made_again_is_empty_and_the_old_content_is_reclaimed() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", bytes(50_000));
        awaitContents(1);
        await(blobs.appends().create(at("log"), plain()));
        assertThat(read("log")).isEmpty();
        assertThat(find("log").appends()).isZero();
        awaitContents(0);
    }

    @Test
    void many_append_at_once_and_every_block_is_there_once_and_whole() throws Exception {
        int writers = 8;
        int each = 40;
        await(blobs.appends().create(at("log"), plain()));
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            String writer = "writer" + i;
            work.add(() -> {
                for (int j = 0; j < each; j++) {
                    // Some are too large for a row, so that the order is not that of the commits alone.
                    String line = (writer + ":" + j + ";").repeat(j % 20 == 0 ? 4000 : 1 + j % 7) + "\n";
                    AppendBlobs.Appended appended = append("log", text(line));
                    assertThat(read("log", (int) appended.offset(), line.length()))
                            .isEqualTo(text(line));
                }
                return null;
            });
        }
        together(work);
        String all = new String(read("log"), StandardCharsets.UTF_8);
        Map<String, Integer> next = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (String line : all.split("\n", -1)) {
            if (line.isEmpty()) {
                continue;
            }
            String first = line.substring(0, line.indexOf(';') + 1);
            assertThat(line.replace(first, "")).as("a block is in one piece").isEmpty();
            assertThat(seen.add(first)).as("a block is there once").isTrue();
            String writer = first.substring(0, first.indexOf(':'));
            int number = Integer.parseInt(first.substring(first.indexOf(':') + 1, first.length() - 1));
            assertThat(number).as("in the order of its writer").isEqualTo(next.getOrDefault(writer, 0));
            next.put(writer, number + 1);
        }
        assertThat(seen).hasSize(writers * each);
        assertThat(find("log").appends()).isEqualTo(writers * each);
    }

    @Test
    void a_block_that_the_blob_was_not_told_of_is_taken_in_by_the_next() throws Exception {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("one,"));
        // The second commit of an append fails, after that of the block itself.
        Runnable first = faulty.delayNext(FaultyEngine.Call.COMMIT);
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        var lost = blobs.appends().append(at("log"), Staged.inMemory(text("two,"), 0, 4), terms());
        first.run();
        assertThat(lost.toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
        assertThat(read("log")).isEqualTo(text("one,"));
        AppendBlobs.Appended third = append("log", text("three,"));
        assertThat(third.offset()).isEqualTo(8);
        assertThat(third.blob().appends()).isEqualTo(3);
        assertThat(read("log")).isEqualTo(text("one,two,three,"));
    }

    @Test
    void a_lost_block_is_seen_by_whoever_says_where_to_append() {
        await(blobs.appends().create(at("log"), plain()));
        Runnable first = faulty.delayNext(FaultyEngine.Call.COMMIT);
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        var lost = blobs.appends().append(at("log"), Staged.inMemory(text("one,"), 0, 4), terms());
        first.run();
        assertThat(lost.toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
        // The same again, as a client does that has no answer.
        AppendBlobs.Terms start = new AppendBlobs.Terms(Guard.NONE, OptionalLong.of(0), OptionalLong.empty());
        assertThat(errorOf(blobs.appends().append(at("log"), Staged.inMemory(text("one,"), 0, 4), start)))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        assertThat(read("log")).isEqualTo(text("one,"));
    }
}
