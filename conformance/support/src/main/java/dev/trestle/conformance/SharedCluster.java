package dev.trestle.conformance;

import dev.trestle.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/**
 * The HBase cluster for all tests of this JVM: one that it starts, or the one of {@code -Dtrestle.hbase.quorum}.
 */
final class SharedCluster {
    private static final String GIVEN = System.getProperty("trestle.hbase.quorum", "");

    private SharedCluster() {}

    /** Started on first use, and stopped when this JVM exits. */
    private static final class Started {
        private static final String QUORUM = start();

        private static String start() {
            try {
                Sandbox sandbox = Sandbox.oneJvm(Files.createTempDirectory("trestle-hbase"), 1);
                Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
                sandbox.start();
                return sandbox.quorum();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The folder of blob contents, which the quorum does not tell. */
    private static final class Contents {
        private static final String FOLDER = make();

        private static String make() {
            try {
                return Files.createTempDirectory("trestle-contents").toUri().toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the folder of blob contents, for all servers on the cluster. */
    static String contentFolder() {
        return Contents.FOLDER;
    }

    static String quorum() {
        return GIVEN.isEmpty() ? Started.QUORUM : GIVEN;
    }

    /** Starts a server on the cluster, which shares its data with those of the same namespace. */
    static TrestleProcess frontEnd(String namespace) {
        return TrestleProcess.startOnCluster(quorum(), "--hbase-namespace", namespace);
    }
}
