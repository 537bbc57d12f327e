package dev.trestle.conformance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server under load, repeatedly on the same folder, and after each kill compares the acknowledged writes
 * with the stored rows. Some restarts are killed as well. {@code -Dcrash.kills=500} sets the number of kills, and
 * {@code -Dcrash.seed} repeats the random choices of an earlier run, but not the interleaving of its threads.
 */
class CrashIT {
    private static final int KILLS_IN_CI = 30;
    private static final int KILLS = Integer.getInteger("crash.kills", KILLS_IN_CI);
    private static final int CLIENTS = 6;
    private static final int WRITES_BEFORE_A_KILL_MAX = 200;
    private static final int START_MILLIS = 1500;

    private final long seed = Long.getLong("crash.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Set<KillSwitch.Moment> tried = EnumSet.noneOf(KillSwitch.Moment.class);
    private final List<CrashClient> clients = new ArrayList<>();
    private int startsKilled;

    @TempDir
    private Path folder;

    @Test
    void a_server_killed_at_any_moment_has_what_it_acknowledged_and_half_of_nothing() throws Exception {
        for (int number = 0; number < CLIENTS; number++) {
            clients.add(new CrashClient(number, random.nextLong()));
        }
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        int kill = 0;
        try {
            for (; kill < KILLS; kill++) {
                KillSwitch.Moment moment = moment();
                // A process that is killed has handed its writes to the system in either mode.
                String durability = random.nextInt(4) == 0 ? "buffered" : "synced";
                String[] options = {"--data", folder.toString(), "--durability", durability};
                while (random.nextInt(4) == 0) {
                    killDuringStart(options);
                    startsKilled++;
                }
                killUnderLoad(moment, options, threads);
                tried.add(moment);
                tell(kill, moment, durability);
            }
            try (TrestleProcess server = TrestleProcess.on(folder)) {
                verifyAll(server, threads);
            }
        } catch (Throwable failure) {
            throw new AssertionError("failed at kill " + kill + " with -Dcrash.seed=" + seed, failure);
        } finally {
            threads.shutdownNow();
        }
    }

    private KillSwitch.Moment moment() {
        KillSwitch.Moment[] moments = KillSwitch.Moment.values();
        // Each kind once, then at random.
        return tried.size() < moments.length ? moments[tried.size()] : moments[random.nextInt(moments.length)];
    }

    /**
     * Kills the server at any point of its start, also while it replays the write-ahead log of an earlier kill.
     */
    private void killDuringStart(String... options) {
        try (TrestleProcess server = TrestleProcess.launch(options)) {
            server.process().exitsWithin(Duration.ofMillis(random.nextInt(START_MILLIS)));
        }
    }

    private void killUnderLoad(KillSwitch.Moment moment, String[] options, ExecutorService threads) throws Exception {
        try (TrestleProcess server = TrestleProcess.start(options)) {
            verifyAll(server, threads);
            KillSwitch kill = new KillSwitch(server, moment, 1 + random.nextInt(WRITES_BEFORE_A_KILL_MAX));
            all(threads, client -> client.writeUntilKilled(server, kill));
        }
    }

    private void verifyAll(TrestleProcess server, ExecutorService threads) throws Exception {
        all(threads, client -> client.verify(server));
    }

    private interface Task {
        void run(CrashClient client) throws Exception;
    }

    private void all(ExecutorService threads, Task task) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (CrashClient client : clients) {
            running.add(threads.submit(() -> {
                task.run(client);
                return null;
            }));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
    }

    @SuppressWarnings("SystemOut") // For whoever waits for a long run.
    private void tell(int kill, KillSwitch.Moment moment, String durability) {
        if (KILLS > KILLS_IN_CI) {
            int acknowledged =
                    clients.stream().mapToInt(CrashClient::acknowledged).sum();
            System.out.println(
                    "kill " + (kill + 1) + " of " + KILLS + ", " + moment + ", " + durability + ": " + acknowledged
                            + " requests acknowledged and " + startsKilled + " starts killed so far, seed " + seed);
        }
    }
}
