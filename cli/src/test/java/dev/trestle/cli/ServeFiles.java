package dev.trestle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The files that options of {@code trestle serve} name, in a folder of each test. */
abstract class ServeFiles {
    @TempDir
    Path folder;

    Path certificate = Path.of("");
    Path privateKey = Path.of("");

    @BeforeEach
    final void writeTlsFiles() throws IOException {
        certificate = Files.writeString(folder.resolve("cert.pem"), "certificate");
        privateKey = Files.writeString(folder.resolve("key.pem"), "key");
    }

    /** A file for {@code --config}. */
    final String file(String... lines) throws IOException {
        return Files.write(folder.resolve("trestle.properties"), List.of(lines)).toString();
    }
}
