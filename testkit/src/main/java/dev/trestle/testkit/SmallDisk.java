package dev.trestle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that is soon full, mounted on a folder until it is closed. */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Whether this process may mount file systems. A condition of tests. */
    public static boolean canBeMounted() {
        try {
            Path folder = Files.createTempDirectory("small-disk");
            boolean mounted = tryMount(folder, "1m");
            if (mounted) {
                new SmallDisk(folder).close();
            }
            Files.delete(folder);
            return mounted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Mounts a file system on a folder.
     *
     * @param size such as {@code 2m}
     */
    public static SmallDisk mount(Path folder, String size) {
        if (!tryMount(folder, size)) {
            throw new IllegalStateException("cannot mount a file system on " + folder);
        }
        return new SmallDisk(folder);
    }

    private static boolean tryMount(Path folder, String size) {
        return Commands.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()) == 0;
    }

    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        if (Commands.run("umount", folder.toString()) != 0) {
            throw new IllegalStateException("cannot unmount " + folder);
        }
    }
}
