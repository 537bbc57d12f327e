package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.blob.Guard;
import dev.trestle.blob.Staged;
import dev.trestle.engine.EngineException;
import dev.trestle.model.StorageError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in blobs: written whole, in blocks or at the end, and read while others write. */
public abstract class BlobContentContract extends BlobContract {
    private static final int SEEDS = 6;
    private static final int CALLS = 120;

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    private static List<Wanted> latest(String... ids) {
        return Arrays.stream(ids).map(id -> new Wanted(Among.LATEST, id)).toList();
    }

    private Blob commit(String name, List<Wanted> wanted) {
        return await(blobs.blocks().commit(at(name), wanted, plain()));
    }

    private StorageError commitError(String name, List<Wanted> wanted) {
        return errorOf(blobs.blocks().commit(at(name), wanted, plain()));
    }

    private BlockBlobs.BlockLists blocks(String name) {
        return await(blobs.blocks().list(at(name), OptionalLong.empty(), Guard.NONE));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] concat(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 300_000})
    void a_blob_is_read_as_it_was_put_also_after_a_restart(int length) throws Exception {
        byte[] bytes = bytes(length);
        Blob made = put("a", bytes);
        assertThat(made.length()).isEqualTo(length);
        assertThat(read("a")).isEqualTo(bytes);
        restart();
        assertThat(find("a")).isEqualTo(made);
        assertThat(read("a")).isEqualTo(bytes);
        awaitContents(length > INLINE_MAX ? 1 : 0);
    }

    @Test
    void nothing_is_found_where_nothing_was_put() {
        assertThat(errorOf(blobs.find(at("a"), OptionalLong.empty(), Guard.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(errorOf(blobs.find(in(OTHERS, "a"), OptionalLong.empty(), Guard.NONE)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        assertThat(errorOf(blobs.upload(in(OTHERS, "a")))).isEqualTo(StorageError.CONTAINER_NOT_FOUND);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_range_is_read_across_parts_of_any_kind(long seed) {
        Gen.check(seed, gen -> {
            List<byte[]> parts = new ArrayList<>();
            List<Wanted> wanted = new ArrayList<>();
            for (int i = 1 + gen.below(12); i > 0; i--) {
                byte[] part = bytes(gen.chance(50) ? 1 + gen.below(100) : 1 + gen.below(3 * INLINE_MAX));
                String id = "id" + (10 + i);
                putBlock("a", id, part);
                parts.add(part);
                wanted.add(new Wanted(Among.UNCOMMITTED, id));
            }
            commit("a", wanted);
            byte[] all = concat(parts);
            assertThat(read("a")).isEqualTo(all);
            for (int i = 0; i < 20; i++) {
                int from = gen.below(all.length);
                int length = 1 + gen.below(all.length - from);
                assertThat(read("a", from, length)).isEqualTo(Arrays.copyOfRange(all, from, from + length));
            }
            int at = 0;
            for (byte[] part : parts) {
                at += part.length;
                int from = Math.max(0, at - 2);
                int to = Math.min(all.length, at + 2);
                assertThat(read("a", from, to - from)).isEqualTo(Arrays.copyOfRange(all, from, to));
            }
        });
    }

    @Test
    void a_reader_reads_on_what_was_overwritten_and_then_it_is_reclaimed() {
        byte[] old = concat(List.of(bytes(100_000), bytes(200_000), bytes(50)));
        putBlock("a", "b1", Arrays.copyOf(old, 100_000));
        putBlock("a", "b2", Arrays.copyOfRange(old, 100_000, 300_000));
        putBlock("a", "b3", Arrays.copyOfRange(old, 300_000, 300_050));
        commit("a", latest("b1", "b2", "b3"));
        BlobReader reader = open(at("a"), OptionalLong.empty());
        ByteBuffer first = ByteBuffer.allocate(1000);
        await(reader.read(first));
        byte[] fresh = bytes(70_000);
        put("a", fresh);
        assertThat(read("a")).isEqualTo(fresh);
        awaitContents(3);
        byte[] rest = drain(reader);
        assertThat(concat(List.of(Arrays.copyOf(first.array(), first.position()), rest)))
                .isEqualTo(old);
        reader.close();
        awaitContents(1);
        assertThat(read("a")).isEqualTo(fresh);
    }

    @Test
    void a_reader_reads_on_what_was_deleted() {
        byte[] bytes = bytes(200_000);
        put("a", bytes);
        try (BlobReader reader = open(at("a"), OptionalLong.empty())) {
            await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE));
            assertThat(drain(reader)).isEqualTo(bytes);
        }
        awaitContents(0);
    }

    @Test
    void a_reader_reads_on_blocks_that_a_later_version_has_shared_and_let_go_of() {
        byte[] bytes = bytes(150_000);
        putBlock("a", "b1", Arrays.copyOf(bytes, 75_000));
        putBlock("a", "b2", Arrays.copyOfRange(bytes, 75_000, 150_000));
        commit("a", latest("b1", "b2"));
        try (BlobReader reader = open(at("a"), OptionalLong.empty())) {
            putBlock("a", "b3", bytes(50_000));
            commit("a", latest("b1", "b2", "b3"));
            put("a", bytes(70_000));
            awaitContents(3);
            assertThat(drain(reader)).isEqualTo(bytes);
        }
        awaitContents(1);
    }

    @Test
    void readers_see_one_version_from_start_to_end_while_writers_replace_it() throws Exception {
        List<byte[]> versions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            versions.add(bytes(120_000));
        }
        AtomicInteger round = new AtomicInteger();
        Callable<Void> writer = () -> {
            for (int i = 0; i < times(25); i++) {
                int version = round.getAndIncrement() % versions.size();
                byte[] bytes = versions.get(version);
                putBlock("a", "x" + version, Arrays.copyOf(bytes, 60_000));
                putBlock("a", "y" + version, Arrays.copyOfRange(bytes, 60_000, 120_000));
                // Blocks of others may have made these void, which is an answer like any other.
                blobs.blocks()
                        .commit(at("a"), latest("x" + version, "y" + version), plain())
                        .toCompletableFuture()
                        .handle((blob, failure) -> blob)
                        .get(30, TimeUnit.SECONDS);
            }
            return null;
        };
        putBlock("a", "x0", Arrays.copyOf(versions.get(0), 60_000));
        putBlock("a", "y0", Arrays.copyOfRange(versions.get(0), 60_000, 120_000));
        commit("a", latest("x0", "y0"));
        Callable<Void> readers = () -> {
            for (int i = 0; i < times(60); i++) {
                byte[] read = read("a");
                assertThat(versions).anyMatch(version -> Arrays.equals(version, read));
            }
            return null;
        };
        together(List.of(writer, writer, readers, readers));
    }

    private static void together(List<Callable<Void>> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            List<Future<Void>> done = new ArrayList<>();
            work.forEach(each -> done.add(threads.submit(each)));
            for (Future<Void> each : done) {
                each.get(120, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
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
                        .putBlock(at("a"), "aaaaaaaa", Optional.empty(), Staged.inMemory(text("y"), 0, 1))))
                .isEqualTo(StorageError.INVALID_BLOB_OR_BLOCK);
        commit("a", latest("aaaa"));
        putBlock("a", "aaaaaaaa", text("y"));
        commit("a", latest("aaaaaaaa", "aaaa"));
        assertThat(read("a")).isEqualTo(text("yx"));
    }

    @Test
    void a_block_has_bytes() {
        Staged nothing = Staged.inMemory(new byte[0], 0, 0);
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
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE));
        assertThat(errorOf(blobs.blocks().list(at("a"), OptionalLong.empty(), Guard.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        awaitContents(0);
        putBlock("a", "1", bytes(40_000));
        await(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE));
        awaitContents(0);
        assertThat(errorOf(blobs.delete(at("a"), Guard.NONE, BlobService.Snapshots.REFUSE)))
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

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void random_calls_leave_what_a_map_of_blobs_would_hold(long seed) {
        Gen.check(seed, gen -> new History(gen).run());
    }

    /** A blob as the test knows it. */
    private static final class Known {
        final boolean append;
        byte[] bytes;
        Map<String, byte[]> committed = new HashMap<>();
        final Map<Long, byte[]> snapshots = new TreeMap<>();

        Known(boolean append, byte[] bytes) {
            this.append = append;
            this.bytes = bytes;
        }
    }

    private final class History {
        private static final List<String> NAMES = List.of("a", "a/b", "\u00E9", "log\uD83D\uDE00");
        private static final List<String> IDS = List.of("b1", "b2", "b3", "b4");

        private final Gen gen;
        private final Map<String, Known> known = new LinkedHashMap<>();
        private final Map<String, Map<String, byte[]>> waiting = new HashMap<>();

        History(Gen gen) {
            this.gen = gen;
        }

        private byte[] some() {
            return bytes(gen.chance(60) ? 1 + gen.below(200) : 1 + gen.below(2 * INLINE_MAX));
        }

        void run() throws Exception {
            for (int i = 0; i < CALLS; i++) {
                step(gen.oneOf(NAMES), gen.below(100));
            }
            for (String name : NAMES) {
                check(name);
            }
            restart();
            for (String name : NAMES) {
                check(name);
            }
        }

        private void step(String name, int choice) throws Exception {
            Optional<Known> blob = Optional.ofNullable(known.get(name));
            if (choice < 15 && blob.map(it -> !it.append).orElse(true)) {
                byte[] bytes = some();
                put(name, bytes);
                replaced(name, bytes, new HashMap<>());
            } else if (choice < 35 && blob.map(it -> !it.append).orElse(true)) {
                String id = gen.oneOf(IDS);
                byte[] bytes = some();
                putBlock(name, id, bytes);
                waiting.computeIfAbsent(name, any -> new TreeMap<>()).put(id, bytes);
            } else if (choice < 45) {
                commitSome(name, blob);
            } else if (choice < 50 && blob.map(it -> it.append).orElse(true) && !waiting.containsKey(name)) {
                await(blobs.appends().create(at(name), plain()));
                Known made = new Known(true, new byte[0]);
                blob.ifPresent(old -> made.snapshots.putAll(old.snapshots));
                known.put(name, made);
            } else if (choice < 65 && blob.map(it -> it.append).orElse(false)) {
                byte[] bytes = some();
                append(name, bytes);
                Known it = blob.orElseThrow();
                it.bytes = concat(List.of(it.bytes, bytes));
            } else if (choice < 72 && blob.isPresent()) {
                Blob taken = await(blobs.snapshot(at(name), Guard.NONE, Map.of()));
                blob.get().snapshots.put(taken.snapshot().orElseThrow(), blob.get().bytes);
            } else if (choice < 77 && blob.isPresent()) {
                await(blobs.delete(at(name), Guard.NONE, BlobService.Snapshots.INCLUDE));
                known.remove(name);
                waiting.remove(name);
            } else if (choice < 80 && blob.isPresent() && !blob.get().snapshots.isEmpty()) {
                long snapshot = gen.oneOf(List.copyOf(blob.get().snapshots.keySet()));
                await(blobs.deleteSnapshot(at(name), snapshot, Guard.NONE));
                blob.get().snapshots.remove(snapshot);
            } else if (choice < 84 && blob.isPresent()) {
                await(blobs.setMetadata(at(name), Guard.NONE, Map.of("a", "b")));
            } else if (choice < 97) {
                check(name);
            } else if (gen.chance(30)) {
                restart();
            }
        }

        private void replaced(String name, byte[] bytes, Map<String, byte[]> committed) {
            Known made = new Known(false, bytes);
            made.committed = committed;
            Optional.ofNullable(known.get(name)).ifPresent(old -> made.snapshots.putAll(old.snapshots));
            known.put(name, made);
            waiting.remove(name);
        }

        private void commitSome(String name, Optional<Known> blob) {
            if (blob.map(it -> it.append).orElse(false)) {
                assertThat(commitError(name, List.of())).isEqualTo(StorageError.INVALID_BLOB_TYPE);
                return;
            }
            Map<String, byte[]> old = blob.map(it -> it.committed).orElse(Map.of());
            Map<String, byte[]> fresh = waiting.getOrDefault(name, Map.of());
            List<Wanted> wanted = new ArrayList<>();
            List<byte[]> parts = new ArrayList<>();
            Map<String, byte[]> committed = new HashMap<>();
            boolean allThere = true;
            for (int i = gen.below(4); i > 0; i--) {
                Wanted block = new Wanted(gen.oneOf(List.of(Among.values())), gen.oneOf(IDS));
                byte[] bytes = switch (block.among()) {
                    case COMMITTED -> old.get(block.id());
                    case UNCOMMITTED -> fresh.get(block.id());
                    case LATEST -> fresh.getOrDefault(block.id(), old.get(block.id()));
                };
                wanted.add(block);
                if (bytes == null) {
                    allThere = false;
                } else {
                    parts.add(bytes);
                    committed.put(block.id(), bytes);
                }
            }
            if (allThere) {
                commit(name, wanted);
                replaced(name, concat(parts), committed);
            } else {
                assertThat(commitError(name, wanted)).isEqualTo(StorageError.INVALID_BLOCK_LIST);
            }
        }

        private void check(String name) {
            Optional<Known> blob = Optional.ofNullable(known.get(name));
            assertThat(findIfThere(name).isPresent()).isEqualTo(blob.isPresent());
            if (blob.isEmpty()) {
                return;
            }
            assertThat(read(name)).isEqualTo(blob.get().bytes);
            blob.get()
                    .snapshots
                    .forEach((snapshot, bytes) -> assertThat(read(at(name), OptionalLong.of(snapshot)))
                            .isEqualTo(bytes));
            if (!blob.get().append) {
                assertThat(blocks(name).uncommitted().stream().map(Block::id).toList())
                        .containsExactlyElementsOf(
                                waiting.getOrDefault(name, Map.of()).keySet());
            }
        }
    }
}
