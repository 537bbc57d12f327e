package dev.trestle.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** The files of a sandbox. Its data are beside these, in folders named by role. */
record Folder(Path path) {
    private static final int LOG_LINES_SHOWN = 20;

    Folder {
        path = path.toAbsolutePath().normalize();
    }

    Optional<Layout> layout() {
        return Layout.read(layoutFile());
    }

    void write(Layout layout) {
        try {
            for (String part : List.of("conf", "logs", "run", "tmp")) {
                Files.createDirectories(path.resolve(part));
            }
            layout.write(layoutFile());
            ClusterFiles.write(path, settings(), layout);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path layoutFile() {
        return path.resolve("sandbox.properties");
    }

    Path settings() {
        return path.resolve("conf");
    }

    /** There while a cluster with all its processes has been found to serve. */
    Path readyFile() {
        return path.resolve("run/ready");
    }

    PidFile pidFile(String process) {
        return new PidFile(path.resolve("run").resolve(process + ".pid"));
    }

    Path log(String process) {
        return path.resolve("logs").resolve(process + ".log");
    }

    /** The end of a sentence about a process that failed: how its log ends, and where that is. */
    String lastWords(String process) {
        try {
            List<String> lines = new String(Files.readAllBytes(log(process)), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size());
            return "; its log " + log(process) + " ends with\n" + String.join("\n", last);
        } catch (IOException e) {
            return ", without a log.";
        }
    }

    /** Does this while no other process starts or stops the same sandbox. */
    void locked(Runnable task) {
        try (FileChannel file =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Let go of when the file is closed.
            file.lock();
            task.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
