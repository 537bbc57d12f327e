package dev.trestle.engine.support;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * File attributes that give access to the owner only, for new files and folders. They are empty on file systems
 * without POSIX permissions.
 */
public final class OwnerOnlyPermissions {
    private OwnerOnlyPermissions() {}

    /** Returns the attributes of a new folder. */
    public static FileAttribute<?>[] folder(Path path) {
        return attributes(path, "rwx------");
    }

    /** Returns the attributes of a new file. */
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
