package dev.trestle.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Creates folders of files to copy, and compares the contents of folders. */
final class FileTree {
    /** Larger than the largest request of any of the programs. */
    static final int LARGE = 20_000_000;

    private FileTree() {}

    /** Fills a folder with files small, large and empty, and with names that need care on the wire. */
    static Path create(Path folder) {
        byte[] large = new byte[LARGE];
        new Random(1).nextBytes(large);
        write(folder.resolve("large.bin"), large);
        write(folder.resolve("empty"), new byte[0]);
        write(folder.resolve("deeply/nested/folder/small.txt"), "small");
        write(folder.resolve("names/grün 水 🚀.txt"), "letters of other scripts");
        write(folder.resolve("names/100% & more, #1? [a+b=c];.txt"), "marks that addresses reserve");
        write(folder.resolve("names/two  spaces, 'quotes' and ~.txt"), "spaces and quotes");
        write(folder.resolve("names/%41%2F.txt"), "looks encoded and is not");
        for (int i = 0; i < 30; i++) {
            write(folder.resolve("many/file-" + i + ".txt"), "file " + i);
        }
        return folder;
    }

    static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Path file, byte[] content) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every file below a folder by its path there, with its length and the digest of its content. */
    static Map<String, String> contents(Path folder) {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] content = Files.readAllBytes(file);
                contents.put(folder.relativize(file).toString(), content.length + " bytes, SHA-256 " + digest(content));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return contents;
    }

    private static String digest(byte[] content) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
