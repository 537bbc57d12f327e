package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.Gen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A truncated or damaged write-ahead log. The test copies the log of an open engine, as a kill leaves it, and
 * records its length after each commit. So for every truncation it knows the commits that must be present.
 */
class TornLogTest {
    private static final long COLLECTION = -1;
    private static final int COMMITS = 20;
    private static final int ROWS_OF_A_COMMIT = 3;

    /** The log is written in blocks of this size, and records are split at their ends. */
    private static final int LOG_BLOCK_BYTES = 32 * 1024;

    @TempDir
    private Path temporary;

    private final long seed = System.nanoTime();
    private final Gen gen = new Gen(seed);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final List<Long> lengths = new ArrayList<>();
    private Path killed;
    private int copies;

    @BeforeEach
    void listen() {
        said.start();
        ((Logger) LoggerFactory.getLogger(Store.class)).addAppender(said);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger(Store.class)).detachAppender(said);
    }

    @BeforeEach
    void write() throws Exception {
        Path directory = temporary.resolve("written");
        killed = temporary.resolve("killed");
        try (Engine engine = open(directory)) {
            for (int number = 0; number < COMMITS; number++) {
                commit(engine, number);
                lengths.add(Files.size(log(directory)));
            }
            copy(directory, killed);
        }
    }

    @Test
    void a_log_that_is_cut_has_every_commit_before_the_cut_and_half_of_none() throws Exception {
        long end = length(COMMITS);
        long from = length(COMMITS - 5);
        Set<Long> cuts = new TreeSet<>(Set.of(end, end - 1, from, from + 1, length(COMMITS - 1), 0L, 1L));
        while (cuts.size() < 30) {
            cuts.add(from + gen.below((int) (end - from)));
        }
        for (long cut : cuts) {
            Path directory = copyOfKilled();
            try (FileChannel log = FileChannel.open(log(directory), StandardOpenOption.WRITE)) {
                log.truncate(cut);
            }
            int whole = (int) lengths.stream().filter(length -> length <= cut).count();
            assertServes(directory, whole, "cut at " + cut + " of " + lengths);
        }
        assertThat(said.list).as("a log cut short is what a kill leaves").isEmpty();
    }

    @Test
    void bytes_behind_the_last_commit_take_nothing_away() throws Exception {
        for (int size : List.of(1, 7, 100, LOG_BLOCK_BYTES, 3 * LOG_BLOCK_BYTES + 1)) {
            byte[] garbage = new byte[size];
            for (int i = 0; i < size; i++) {
                garbage[i] = (byte) gen.below(256);
            }
            for (byte[] tail : List.of(garbage, new byte[size])) {
                Path directory = copyOfKilled();
                Files.write(log(directory), tail, StandardOpenOption.APPEND);
                assertServes(directory, COMMITS, size + " bytes " + (tail == garbage ? "of garbage" : "of zeros"));
            }
        }
    }

    @Test
    void bytes_that_look_like_a_record_of_another_kind_do_not_keep_the_server_from_starting() throws Exception {
        for (int type : List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 127, 128, 129, 130, 131, 132, 255)) {
            byte[] tail = new byte[200];
            tail[4] = 100;
            tail[6] = (byte) type;
            Path directory = copyOfKilled();
            Files.write(log(directory), tail, StandardOpenOption.APPEND);
            assertServes(directory, COMMITS, "a record of type " + type);
        }
    }

    @Test
    void a_commit_damaged_within_the_log_and_those_behind_it_are_left_out_and_the_server_log_says_so()
            throws Exception {
        for (int round = 0; round < 10; round++) {
            int damaged = 1 + gen.below(COMMITS - 2);
            Path directory = copyOfKilled();
            flipByte(log(directory), (length(damaged) + length(damaged + 1)) / 2);
            said.list.clear();
            assertServes(directory, damaged, "commit " + damaged + " is damaged");
            assertThat(said.list)
                    .singleElement()
                    .satisfies(event -> assertThat(event.getFormattedMessage())
                            .startsWith("The write-ahead log is damaged.")
                            .contains("is lost"));
        }
    }

    /** Opens the folder and checks that exactly the first commits are present, and that it stores new ones. */
    private void assertServes(Path directory, int whole, String what) throws Exception {
        String description = what + ", seed " + seed;
        try (Engine engine = open(directory)) {
            assertThat(rowsByCommit(engine)).as(description).isEqualTo(firstCommits(whole));
            commit(engine, COMMITS);
        }
        try (Engine engine = open(directory)) {
            Map<Integer, Integer> expected = firstCommits(whole);
            expected.put(COMMITS, ROWS_OF_A_COMMIT);
            assertThat(rowsByCommit(engine)).as("opened again, %s", description).isEqualTo(expected);
        }
    }

    private static Map<Integer, Integer> firstCommits(int count) {
        Map<Integer, Integer> rows = new TreeMap<>();
        for (int number = 0; number < count; number++) {
            rows.put(number, ROWS_OF_A_COMMIT);
        }
        return rows;
    }

    private static Map<Integer, Integer> rowsByCommit(Engine engine) throws Exception {
        Scan everything = new Scan(
                List.of(Key.collectionRange(COLLECTION)),
                Filter.ALL,
                List.of(),
                new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1)));
        RowPage page = engine.scan(everything).toCompletableFuture().get();
        Map<Integer, Integer> rows = new TreeMap<>();
        for (int i = 0; i < page.size(); i++) {
            rows.merge(Integer.parseInt(page.key(i).partitionKey()), 1, Integer::sum);
        }
        return rows;
    }

    private void commit(Engine engine, int number) throws Exception {
        List<Write> writes = new ArrayList<>();
        for (int row = 0; row < ROWS_OF_A_COMMIT; row++) {
            // Some commits are longer than a block of the log.
            String filler = "x".repeat(gen.below(gen.chance(30) ? 30_000 : 300));
            byte[] bytes =
                    new RowBuilder().put("Filler", new EdmValue.Text(filler)).build();
            writes.add(new Write.Put(
                    Key.of(COLLECTION, Integer.toString(number), "row " + row), bytes, Precondition.ABSENT));
        }
        CommitResult result = engine.commit(new Commit(COLLECTION, Integer.toString(number), writes))
                .toCompletableFuture()
                .get();
        assertThat(result).isInstanceOf(CommitResult.Committed.class);
    }

    private static Engine open(Path directory) {
        return RocksEngine.open(RocksEngineConfig.at(directory).withMemoryBytes(32 << 20), InstantSource.system());
    }

    /** How long the log was after so many commits. */
    private long length(int commits) {
        return lengths.get(commits - 1);
    }

    private static void flipByte(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
        }
    }

    /** The newest write-ahead log. */
    private static Path log(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rows"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private Path copyOfKilled() throws IOException {
        Path directory = temporary.resolve("copy " + copies++);
        copy(killed, directory);
        return directory;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
