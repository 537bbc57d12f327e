package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.Copies;
import dev.trestle.blob.StagedContent;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Engine;
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
        assertThat(errorOf(blobs.appends().append(at("block"), StagedContent.inMemory(text("x"), 0, 1), terms())))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(putError("append", AccessConditions.NONE)).isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(errorOf(blobs.blocks()
                        .putBlock(at("append"), "1", Optional.empty(), StagedContent.inMemory(text("x"), 0, 1))))
                .isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(commitError("append", List.of())).isEqualTo(StorageError.INVALID_BLOB_TYPE);
        assertThat(errorOf(blobs.blocks().list(at("append"), OptionalLong.empty(), AccessConditions.NONE)))
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
        StagedContent more = StagedContent.inMemory(text("678"), 0, 3);
        assertThat(errorOf(blobs.appends()
                        .append(
                                at("log"),
                                more,
                                new AppendBlobs.Terms(
                                        AccessConditions.NONE, OptionalLong.of(4), OptionalLong.empty()))))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        assertThat(errorOf(blobs.appends()
                        .append(
                                at("log"),
                                more,
                                new AppendBlobs.Terms(
                                        AccessConditions.NONE, OptionalLong.empty(), OptionalLong.of(7)))))
                .isEqualTo(StorageError.MAX_BLOB_SIZE_CONDITION_NOT_MET);
        await(blobs.appends()
                .append(
                        at("log"),
                        more,
                        new AppendBlobs.Terms(AccessConditions.NONE, OptionalLong.of(5), OptionalLong.of(8))));
        assertThat(read("log")).isEqualTo(text("12345678"));
        assertThat(errorOf(blobs.appends().append(at("none"), more, terms()))).isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(errorOf(blobs.appends().seal(at("log"), AccessConditions.NONE, OptionalLong.of(3))))
                .isEqualTo(StorageError.APPEND_POSITION_CONDITION_NOT_MET);
        assertThat(await(blobs.appends().seal(at("log"), AccessConditions.NONE, OptionalLong.of(8)))
                        .sealed())
                .isTrue();
        assertThat(errorOf(blobs.appends().append(at("log"), more, terms()))).isEqualTo(StorageError.BLOB_IS_SEALED);
        assertThat(read("log")).isEqualTo(text("12345678"));
    }

    @Test
    void a_refused_append_leaves_nothing_in_the_store() {
        await(blobs.appends().create(at("log"), plain()));
        AppendBlobs.Terms never =
                new AppendBlobs.Terms(AccessConditions.NONE, OptionalLong.of(4), OptionalLong.empty());
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

    /** Fails an append between its two commits, as a stop of the process does. */
    private void stopInTheMiddleOfAppending(byte[] block) {
        StagedContent staged = staged(at("log"), block);
        Runnable claim = faulty.delayNext(FaultyEngine.Call.COMMIT);
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        var lost = blobs.appends().append(at("log"), staged, terms());
        claim.run();
        assertThat(lost.toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
    }

    @Test
    void an_append_that_was_not_acknowledged_never_comes_back() throws Exception {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("one,"));
        stopInTheMiddleOfAppending(text("two,"));
        restart();
        Blob seen = find("log");
        assertThat(read("log")).isEqualTo(text("one,"));
        AppendBlobs.Terms asSeen = new AppendBlobs.Terms(
                new AccessConditions(
                        new Conditions(
                                List.of(BlobETag.format(seen.modified())),
                                List.of(),
                                OptionalLong.empty(),
                                OptionalLong.empty()),
                        Optional.empty()),
                OptionalLong.of(seen.length()),
                OptionalLong.empty());
        AppendBlobs.Appended next =
                await(blobs.appends().append(at("log"), StagedContent.inMemory(text("2,"), 0, 2), asSeen));
        assertThat(next.offset()).isEqualTo(4);
        assertThat(next.blob().appends()).isEqualTo(2);
        assertThat(read("log")).isEqualTo(text("one,2,"));
        append("log", text("three,"));
        assertThat(read("log")).isEqualTo(text("one,2,three,"));
    }

    @Test
    void an_append_sent_again_after_it_failed_is_there_once() {
        await(blobs.appends().create(at("log"), plain()));
        stopInTheMiddleOfAppending(text("one,"));
        AppendBlobs.Terms start =
                new AppendBlobs.Terms(AccessConditions.NONE, OptionalLong.of(0), OptionalLong.empty());
        await(blobs.appends().append(at("log"), StagedContent.inMemory(text("one,"), 0, 4), start));
        assertThat(read("log")).isEqualTo(text("one,"));
        assertThat(find("log").appends()).isEqualTo(1);
    }

    @Test
    void the_bytes_of_an_append_that_was_rolled_back_are_reclaimed() {
        await(blobs.appends().create(at("log"), plain()));
        stopInTheMiddleOfAppending(bytes(INLINE_MAX + 1));
        append("log", text("next"));
        awaitContents(0);
        assertThat(read("log")).isEqualTo(text("next"));
    }

    @Test
    void snapshots_and_copies_leave_out_what_was_not_acknowledged() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("one,"));
        stopInTheMiddleOfAppending(text("two,"));
        Blob snapshot = await(blobs.snapshot(at("log"), AccessConditions.NONE, Map.of()));
        await(blobs.copies()
                .copy(
                        new Copies.Source(
                                at("log"), OptionalLong.empty(), AccessConditions.NONE, "http://h/a/logs/log"),
                        at("copy"),
                        found -> plain()));
        append("log", text("three,"));
        append("copy", text("3,"));
        assertThat(read("log")).isEqualTo(text("one,three,"));
        assertThat(read("copy")).isEqualTo(text("one,3,"));
        assertThat(read(at("log"), snapshot.snapshot())).isEqualTo(text("one,"));
    }

    @Test
    void a_change_of_the_blob_in_the_middle_of_an_append_is_judged_by_its_conditions() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("one,"));
        Blob seen = find("log");
        AppendBlobs.Terms asSeen = new AppendBlobs.Terms(
                new AccessConditions(
                        new Conditions(
                                List.of(BlobETag.format(seen.modified())),
                                List.of(),
                                OptionalLong.empty(),
                                OptionalLong.empty()),
                        Optional.empty()),
                OptionalLong.empty(),
                OptionalLong.empty());
        int commits = faulty.calls(FaultyEngine.Call.COMMIT);
        Runnable claim = faulty.delayNext(FaultyEngine.Call.COMMIT);
        var append = blobs.appends().append(at("log"), StagedContent.inMemory(text("two,"), 0, 4), asSeen);
        // On an asynchronous engine the fault could apply to the other commit.
        eventually(() -> assertThat(faulty.calls(FaultyEngine.Call.COMMIT)).isGreaterThan(commits));
        await(blobs.setMetadata(at("log"), AccessConditions.NONE, Map.of("changed", "yes")));
        claim.run();
        assertThat(errorOf(append)).isEqualTo(StorageError.CONDITION_NOT_MET);
        assertThat(read("log")).isEqualTo(text("one,"));
        append("log", text("three,"));
        assertThat(read("log")).isEqualTo(text("one,three,"));
    }

    @Test
    void servers_that_share_an_engine_append_each_block_once() throws Exception {
        int servers = 3;
        int each = times(30);
        await(blobs.appends().create(at("log"), plain()));
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            String server = "server" + i;
            BlobService own = sharing(engine);
            work.add(() -> {
                for (int j = 0; j < each; j++) {
                    byte[] line = text(server + ":" + j + "\n");
                    await(own.appends().append(at("log"), StagedContent.inMemory(line, 0, line.length), terms()));
                }
                return null;
            });
        }
        together(work);
        List<String> lines =
                new String(read("log"), StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(servers * each).doesNotHaveDuplicates();
        assertThat(find("log").appends()).isEqualTo(servers * each);
    }

    @Test
    void a_server_rolls_back_what_another_one_left_when_it_died() {
        await(blobs.appends().create(at("log"), plain()));
        append("log", text("one,"));
        stopInTheMiddleOfAppending(text("two,"));
        BlobService other = sharing(engine);
        await(other.appends().append(at("log"), StagedContent.inMemory(text("three,"), 0, 6), terms()));
        assertThat(read("log")).isEqualTo(text("one,three,"));
    }

    /** The service of another process on the same engine. */
    private BlobService sharing(Engine engine) {
        Engine shared = new ForwardingEngine(engine) {
            @Override
            public boolean isShared() {
                return true;
            }

            @Override
            public void close() {}
        };
        return new BlobService(
                shared,
                store,
                new Catalogue(Service.BLOB, shared, clock, random()).with(store),
                clock,
                random(),
                troubles::add);
    }
}
