package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server while blobs of all kinds and sizes are written, appended to, snapshotted and deleted, again and again on
 * the same folder. {@code -Dcrash.kills} and {@code -Dcrash.seed} are as for {@link CrashIT}.
 */
class BlobCrashIT {
    private static final int KILLS = Integer.getInteger("crash.kills", 6);
    private static final int WRITERS = 4;
    private static final int REQUESTS_BEFORE_A_KILL_MAX = 120;
    private static final String CONTAINER = "crash";
    private static final int MIB = 1 << 20;

    private final long seed = Long.getLong("crash.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final BlobLedger ledger = new BlobLedger();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);

    @TempDir
    private Path folder;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void a_server_killed_at_any_moment_keeps_every_blob_it_acknowledged_whole() throws Exception {
        int kill = 0;
        try {
            for (; kill < KILLS; kill++) {
                killUnderLoad();
            }
            try (TrestleProcess server = TrestleProcess.on(folder);
                    BlobConnection blobs = new BlobConnection(server, CONTAINER)) {
                ledger.verify(blobs);
                assertNothingIncoming();
                ledger.assertMuchWasDone();
            }
        } catch (Throwable failure) {
            throw new AssertionError("failed at kill " + kill + " with -Dcrash.seed=" + seed, failure);
        }
    }

    private void killUnderLoad() throws Exception {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            try (BlobConnection blobs = new BlobConnection(server, CONTAINER)) {
                assertThat(blobs.create()).isIn(201, 409);
                ledger.verify(blobs);
            }
            assertNothingIncoming();
            KillSwitch kill = new KillSwitch(
                    server, KillSwitch.Moment.AFTER_A_WRITE, 10 + random.nextInt(REQUESTS_BEFORE_A_KILL_MAX));
            List<Callable<Void>> clients = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                BlobWriter writer = new BlobWriter(ledger, i, new Random(random.nextLong()));
                clients.add(() -> untilKilled(server, kill, writer));
            }
            for (Future<Void> client : threads.invokeAll(clients)) {
                client.get();
            }
        }
    }

    private static Void untilKilled(TrestleProcess server, KillSwitch kill, BlobWriter writer) {
        try (BlobConnection blobs = new BlobConnection(server, CONTAINER)) {
            while (true) {
                writer.write(blobs);
                kill.acknowledged();
            }
        } catch (IOException killed) {
            // The way this ends.
            return null;
        }
    }

    /** Contents that a crash left incomplete are removed after the restart. */
    private void assertNothingIncoming() {
        Deadline.await(
                () -> "left in the folder: " + files("incoming"),
                () -> files("incoming").isEmpty());
    }

    private List<Path> files(String parent) {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/" + parent + "/"))
                    .toList();
        } catch (IOException changing) {
            // The file was deleted while it was being listed; the next attempt does not list it.
            return List.of(folder);
        }
    }

    @Test
    void an_upload_that_breaks_off_leaves_nothing_behind() throws Exception {
        try (TrestleProcess server = TrestleProcess.on(folder);
                BlobConnection blobs = new BlobConnection(server, CONTAINER)) {
            assertThat(blobs.create()).isEqualTo(201);
            byte[] before = new byte[2 * MIB];
            Arrays.fill(before, (byte) 'b');
            assertThat(blobs.put("replaced", before)).isEqualTo(201);
            // The file gets its place when the blob refers to it, after the response.
            Deadline.await(
                    () -> "files: " + files("content"), () -> files("content").size() == 1);
            for (String target : List.of("new", "replaced", "blocks?comp=block&blockid=AAAA")) {
                try (RawConnection broken = new RawConnection(server.blobPort())) {
                    byte[] whole = RawRequest.putBlob(blobs.path(target), new byte[8 * MIB])
                            .bytes();
                    broken.send(Arrays.copyOf(whole, 5 * MIB));
                    Deadline.await(
                            () -> "nothing has arrived",
                            () -> !files("incoming").isEmpty());
                    broken.reset();
                }
                assertNothingIncoming();
            }
            assertThat(blobs.names("uncommittedblobs,snapshots")).containsExactly("replaced");
            assertThat(blobs.get("new").status()).isEqualTo(404);
            assertThat(blobs.get("replaced").body()).isEqualTo("b".repeat(2 * MIB));
            assertThat(files("content")).hasSize(1);
        }
    }
}
