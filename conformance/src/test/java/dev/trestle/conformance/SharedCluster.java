package dev.trestle.conformance;

import dev.trestle.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** One HBase cluster for all tests of this JVM, or the one that {@code -Dtrestle.hbase.quorum} names. */
final class SharedCluster {
    private static final String GIVEN = System.getProperty("trestle.hbase.quorum", "");

    private SharedCluster() {}

    /** Begun when first asked for, and ended with this JVM. */
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

    /** Contents of blobs, which a server does not find by the quorum alone. */
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

    /** Where servers on the cluster keep contents; all of them are on this machine. */
    static String contentFolder() {
        return Contents.FOLDER;
    }

    static String quorum() {
        return GIVEN.isEmpty() ? Started.QUORUM : GIVEN;
    }

    /** A server on the cluster, with data of its own or shared with others of the same namespace. */
    static TrestleProcess frontEnd(String namespace) {
        return TrestleProcess.startOnCluster(quorum(), "--hbase-namespace", namespace);
    }
}
