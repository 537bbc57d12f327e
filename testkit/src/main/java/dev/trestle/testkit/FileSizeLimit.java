package dev.trestle.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The limit on the size of the files of a running process, which makes its disk fail. */
public final class FileSizeLimit {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

    private FileSizeLimit() {}

    /** Whether the limit of a running process can be changed. A condition of tests. */
    public static boolean canBeSet() {
        return Files.isExecutable(PRLIMIT);
    }

    /** Has every write that lets a file grow fail. */
    public static void forbidGrowth(long pid) {
        set(pid, "1:");
    }

    public static void lift(long pid) {
        set(pid, "unlimited:");
    }

    private static void set(long pid, String softLimit) {
        if (Commands.run(PRLIMIT.toString(), "--fsize=" + softLimit, "--pid", Long.toString(pid)) != 0) {
            throw new IllegalStateException("cannot limit the files of process " + pid);
        }
    }
}
