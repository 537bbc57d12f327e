package dev.trestle.clients;

import java.nio.file.Path;

/** A suite in {@code src/test/js}, run against a server with an empty container of its own. */
final class NpmSuite {
    private static final String CONTAINER = "suite";

    private NpmSuite() {}

    static void run(String name) {
        try (Server server = Server.start(name)) {
            server.createContainer(CONTAINER);
            Path packages = Path.of("target", "js").toAbsolutePath();
            // Packages that npm has fetched are kept in the user's cache, hence in the user's home.
            Program.installed("sh", "the Debian package dash", Path.of("").toAbsolutePath())
                    .with("HOME", System.getProperty("user.home"))
                    .with("TRESTLE_BLOB_ENDPOINT", server.blobEndpoint(Server.ACCOUNT))
                    .with("TRESTLE_ACCOUNT", Server.ACCOUNT)
                    .with("TRESTLE_KEY", Server.KEY)
                    .with("TRESTLE_CONTAINER", CONTAINER)
                    .run("src/test/js/run-suite.sh", packages.toString(), name + ".test.mjs");
        }
    }
}
