package dev.trestle.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.ContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that creates contents, repeatedly on the same folder, and resolves the contents that it left.
 */
class KilledContentWriterTest {
    private static final int KILLS = 6;
    private static final Pattern SAID = Pattern.compile("(begun|sealed|kept) (\\d+) (\\d+)");

    @TempDir
    private Path data;

    private final long seed = Long.getLong("trestle.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** How far each content is known to have come, by name. */
    private final Map<String, String> said = new HashMap<>();

    private final Map<String, byte[]> contents = new HashMap<>();
    private int next;

    @Test
    void what_a_killed_process_left_is_settled_and_nothing_else_stays() throws Exception {
        Set<String> wanted = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            said.clear();
            runUntilKilled(1 + random.nextInt(400));
            try (ContentStore store = LocalContentStore.open(data, false)) {
                Set<String> asked = new HashSet<>();
                await(store.resolve((owner, collection, name) -> {
                    assertThat(owner).as(name).isEqualTo(name.getBytes(StandardCharsets.US_ASCII));
                    asked.add(name);
                    boolean held = random.nextBoolean();
                    if (held) {
                        wanted.add(name);
                    }
                    return CompletableFuture.completedFuture(held);
                }));
                said.forEach((name, step) -> {
                    boolean settled = asked.contains(name);
                    assertThat(step.equals("kept") && settled).as(name).isFalse();
                    if (step.equals("kept")) {
                        wanted.add(name);
                    }
                });
                assertSettled(store, wanted);
            }
        }
    }

    private void assertSettled(ContentStore store, Set<String> wanted) throws IOException {
        Set<String> names = new HashSet<>();
        await(store.names(KilledContentWriter.COLLECTION, names::add));
        // Moved, but killed before it could say so, or before the file of its owner was deleted.
        Set<String> moved = new HashSet<>(names);
        moved.removeAll(wanted);
        assertThat(moved).as("seed %d", seed).allMatch(said::containsKey);
        assertThat(moved.size()).isLessThanOrEqualTo(KilledContentWriter.LANES);
        wanted.addAll(moved);
        assertThat(names).as("seed %d", seed).isEqualTo(wanted);
        for (String name : names) {
            assertHolds(store, name);
        }
        try (Stream<Path> left = Files.list(data.resolve("incoming"))) {
            assertThat(left).as("seed %d", seed).isEmpty();
        }
    }

    private void assertHolds(ContentStore store, String name) {
        byte[] expected = Objects.requireNonNull(contents.get(name), name);
        try (ContentStore.Source source = await(store.open(KilledContentWriter.COLLECTION, name))) {
            ByteBuffer into = ByteBuffer.allocate(expected.length);
            await(source.read(0, into));
            assertThat(into.array()).as(name).isEqualTo(expected);
        }
    }

    private void runUntilKilled(int linesMax) throws IOException {
        try (KilledContentWriter.Running writer = KilledContentWriter.start(data, next)) {
            int lines = 0;
            for (String line = writer.output().readLine();
                    line != null;
                    line = writer.output().readLine()) {
                Matcher matcher = SAID.matcher(line);
                // A line cut short by the kill may be no match; anything else that is none is a failure to be seen.
                assertThat(matcher.matches() || lines >= linesMax).as(line).isTrue();
                if (matcher.matches()) {
                    int lane = Integer.parseInt(matcher.group(2));
                    int number = Integer.parseInt(matcher.group(3));
                    String name = KilledContentWriter.name(lane, number);
                    said.put(name, matcher.group(1));
                    contents.put(name, KilledContentWriter.bytes(lane, number));
                    next = Math.max(next, number + 3 - number % 3);
                }
                if (++lines == linesMax) {
                    writer.kill();
                }
            }
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
