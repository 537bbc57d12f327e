package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.model.StorageError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents of blobs: read completely, in ranges, and during writes. */
public abstract class BlobContentContract extends BlobContract {
    private static final int SEEDS = 6;

    protected BlobContentContract(StoreOpener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
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
        assertThat(errorOf(blobs.find(at("a"), OptionalLong.empty(), AccessConditions.NONE)))
                .isEqualTo(StorageError.BLOB_NOT_FOUND);
        assertThat(errorOf(blobs.find(in(OTHERS, "a"), OptionalLong.empty(), AccessConditions.NONE)))
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
            await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.REFUSE));
            assertThat(drain(reader)).isEqualTo(bytes);
        }
        awaitContents(0);
    }

    @Test
    void a_reader_reads_on_blocks_that_a_later_version_shared() {
        byte[] first = bytes(50_000);
        byte[] second = bytes(50_000);
        putBlock("a", "x", first);
        putBlock("a", "y", second);
        commit("a", latest("x", "y"));
        try (BlobReader reader = open(at("a"), OptionalLong.empty())) {
            ByteBuffer begun = ByteBuffer.allocate(10);
            await(reader.read(begun));
            putBlock("a", "z", bytes(50_000));
            commit("a", latest("y", "z"));
            put("a", new byte[] {1});
            // Contents of the version in between are removed, except those that the open version shares.
            awaitContents(2);
            assertThat(concat(List.of(begun.array(), drain(reader)))).isEqualTo(concat(List.of(first, second)));
        }
        awaitContents(0);
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
                // Blocks of another client may have invalidated these, which is a valid outcome.
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
}
