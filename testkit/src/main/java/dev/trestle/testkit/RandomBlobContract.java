package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random calls of all kinds, compared with a map of the expected blobs. */
public abstract class RandomBlobContract extends BlobContract {
    private static final int SEEDS = 6;
    private static final int CALLS = 120;

    protected RandomBlobContract(StoreOpener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
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
                Blob taken = await(blobs.snapshot(at(name), AccessConditions.NONE, Map.of()));
                blob.get().snapshots.put(taken.snapshot().orElseThrow(), blob.get().bytes);
            } else if (choice < 77 && blob.isPresent()) {
                await(blobs.delete(at(name), AccessConditions.NONE, BlobService.Snapshots.INCLUDE));
                known.remove(name);
                waiting.remove(name);
            } else if (choice < 80 && blob.isPresent() && !blob.get().snapshots.isEmpty()) {
                long snapshot = gen.oneOf(List.copyOf(blob.get().snapshots.keySet()));
                await(blobs.deleteSnapshot(at(name), snapshot, AccessConditions.NONE));
                blob.get().snapshots.remove(snapshot);
            } else if (choice < 84 && blob.isPresent()) {
                await(blobs.setMetadata(at(name), AccessConditions.NONE, Map.of("a", "b")));
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
