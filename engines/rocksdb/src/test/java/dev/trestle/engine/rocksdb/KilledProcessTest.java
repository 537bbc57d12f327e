package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowReader;
import dev.trestle.testkit.Gen;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a writing process, repeatedly on the same folder, and checks the data that it left. */
class KilledProcessTest {
    private static final int KILLS = 5;
    private static final Pattern ACKNOWLEDGED = Pattern.compile("(\\d+) (\\d+)");

    @TempDir
    private Path directory;

    @Test
    void acknowledged_commits_survive_a_kill_and_none_is_torn() throws Exception {
        Gen gen = new Gen(System.nanoTime());
        int[] next = new int[KilledWriter.PARTITIONS];
        for (int kill = 0; kill < KILLS; kill++) {
            int[] acknowledged = next.clone();
            runUntilKilled(next, 1 + gen.below(2000), acknowledged);
            try (Engine engine = open()) {
                for (int partition = 0; partition < KilledWriter.PARTITIONS; partition++) {
                    int written = rowsWritten(engine, partition);
                    assertThat(written).isGreaterThanOrEqualTo(acknowledged[partition]);
                    next[partition] = written;
                }
            }
        }
    }

    private Engine open() {
        return RocksEngine.open(RocksEngineConfig.at(directory), InstantSource.system());
    }

    /** Lets a process write until it has acknowledged so many commits; counts them by partition. */
    private void runUntilKilled(int[] first, int acknowledgedMax, int[] acknowledged) throws IOException {
        try (KilledWriter.Running writer = KilledWriter.start(directory, first)) {
            int count = 0;
            for (String line = writer.output().readLine();
                    line != null;
                    line = writer.output().readLine()) {
                Matcher matcher = ACKNOWLEDGED.matcher(line);
                // A line cut short by the kill may be no match; anything else that is none is a failure to be seen.
                assertThat(matcher.matches() || count >= acknowledgedMax)
                        .as(line)
                        .isTrue();
                if (matcher.matches()) {
                    int number = Integer.parseInt(matcher.group(2));
                    int partition = Integer.parseInt(matcher.group(1));
                    acknowledged[partition] = Math.max(acknowledged[partition], number + 1);
                }
                if (++count == acknowledgedMax) {
                    writer.kill();
                }
            }
        }
    }

    /** How many commits of the partition are there, each of which has to be there whole. */
    private static int rowsWritten(Engine engine, int partition) throws Exception {
        String partitionKey = "p" + partition;
        KeyRange range = new KeyRange(
                Key.beforePartition(KilledWriter.COLLECTION, partitionKey),
                Key.afterPartition(KilledWriter.COLLECTION, partitionKey));
        Scan.Limits limits = new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1));
        RowPage page = scan(engine, new Scan(List.of(range), Filter.ALL, List.of(), limits));
        if (page.size() == 0) {
            return 0;
        }
        int written = page.size() - KilledWriter.FIXED_ROWS.size();
        Set<Integer> lastNumbers = new HashSet<>();
        for (int i = 0; i < page.size(); i++) {
            int number = number(page.row(i));
            if (i < written) {
                assertThat(page.key(i)).isEqualTo(KilledWriter.rowKey(partition, i));
                assertThat(number).isEqualTo(i);
            } else {
                lastNumbers.add(number);
            }
        }
        assertThat(lastNumbers).containsExactly(written - 1);
        return written;
    }

    private static RowPage scan(Engine engine, Scan scan) throws ExecutionException, InterruptedException {
        return engine.scan(scan).toCompletableFuture().get();
    }

    private static int number(byte[] row) {
        RowReader reader = new RowReader().reset(row);
        assertThat(reader.next()).isTrue();
        return reader.int32();
    }
}
