package dev.trestle.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** A file with the id of a process, which outlives the process that started it. */
record PidFile(Path path) {
    // Systems tell the start of a process from their boot time, which moves when the clock is set right.
    private static final long CLOCK_CHANGE_MILLIS_MAX = 5_000;

    void write(ProcessHandle process) {
        try {
            Files.writeString(path, process.pid() + " " + startMillis(process) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process if it still runs; another that has got its number since is not taken for it. */
    Optional<ProcessHandle> find() {
        try {
            String[] words = Files.readString(path).strip().split(" ", 2);
            return ProcessHandle.of(Long.parseLong(words[0]))
                    // One that has ended and is not buried yet counts as alive, but has no command any more.
                    .filter(process ->
                            process.isAlive() && process.info().command().isPresent())
                    .filter(process ->
                            Math.abs(startMillis(process) - Long.parseLong(words[1])) < CLOCK_CHANGE_MILLIS_MAX);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new SandboxException("The file " + path + " is damaged; delete it.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
