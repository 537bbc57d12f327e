package dev.trestle.engine.files;

import dev.trestle.engine.ContentStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

/**
 * A process that makes contents without end and says how far it is with each, to be killed. Every third is a copy
 * of the one before it, and what a content holds follows from its name.
 */
final class KilledContentWriter {
    static final long COLLECTION = -1;
    static final int LANES = 4;

    private KilledContentWriter() {}

    /** A started process with its output: a step, a lane and a number in each line. */
    record Running(Process process, BufferedReader output) implements AutoCloseable {
        /** Kills the process; its output can still be read. */
        void kill() {
            // Through the handle, because Process itself would close the output before it is read to its end.
            process.toHandle().destroyForcibly();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly().onExit().join();
            output.close();
        }
    }

    static Running start(Path data, int first) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledContentWriter.class.getName(),
                        data.toString(),
                        Integer.toString(first))
                .redirectErrorStream(true)
                .start();
        return new Running(process, process.inputReader(StandardCharsets.UTF_8));
    }

    static String name(int lane, int number) {
        return "lane-" + lane + "-" + number;
    }

    static boolean isCopy(int number) {
        return number % 3 == 2;
    }

    /** A copy has the bytes of its source. */
    static byte[] bytes(int lane, int number) {
        int original = isCopy(number) ? number - 1 : number;
        SplittableRandom random = new SplittableRandom(31L * original + lane);
        byte[] bytes = new byte[random.nextInt(100_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    static byte[] owner(int lane, int number) {
        return name(lane, number).getBytes(StandardCharsets.US_ASCII);
    }

    /** Arguments: the folder and the number of each lane's first content. */
    public static void main(String[] arguments) throws InterruptedException {
        ContentStore store = LocalContentStore.open(Path.of(arguments[0]), false);
        for (int lane = 0; lane < LANES; lane++) {
            make(store, lane, Integer.parseInt(arguments[1]));
        }
        Thread.currentThread().join();
    }

    @SuppressWarnings("SystemOut") // The parent process reads it.
    private static void make(ContentStore store, int lane, int number) {
        String name = name(lane, number);
        say("begun", lane, number);
        CompletionStage<Void> sealed = isCopy(number)
                ? store.copy(COLLECTION, name(lane, number - 1), COLLECTION, name, owner(lane, number))
                : write(store, lane, number);
        sealed.thenCompose(done -> {
                    say("sealed", lane, number);
                    return store.keep(COLLECTION, name);
                })
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        say("kept", lane, number);
                        make(store, lane, number + 1);
                    } else {
                        System.out.println("unexpected: " + failure);
                    }
                });
    }

    private static CompletionStage<Void> write(ContentStore store, int lane, int number) {
        byte[] bytes = bytes(lane, number);
        ContentStore.Sink sink = store.create(COLLECTION, name(lane, number), piece -> {});
        int half = bytes.length / 2;
        return sink.write(ByteBuffer.wrap(bytes, 0, half))
                .thenCompose(done -> sink.write(ByteBuffer.wrap(bytes, half, bytes.length - half)))
                .thenCompose(done -> sink.seal(owner(lane, number)));
    }

    @SuppressWarnings("SystemOut") // The parent process reads it.
    private static void say(String step, int lane, int number) {
        System.out.println(step + " " + lane + " " + number);
    }
}
