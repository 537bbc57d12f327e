package dev.trestle.engine.support;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What is made with these attributes is for its owner alone, where the file system has words for that. What is there
 * already stays as somebody wanted it.
 */
public final class OwnerOnlyPermissions {
    private OwnerOnlyPermissions() {}

    /** For a folder that is made. */
    public static FileAttribute<?>[] folder(Path path) {
        return attributes(path, "rwx------");
    }

    /** For a file that is made. */
    public static FileAttribute<?>[] file(Path path) {
        return attributes(path, "rw-------");
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
