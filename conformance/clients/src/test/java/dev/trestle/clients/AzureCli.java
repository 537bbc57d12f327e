package dev.trestle.clients;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** {@code az storage}, the commands of Azure's command line for data, with the connection string of a server. */
final class AzureCli {
    /** The text that it prints for the error code AuthorizationPermissionMismatch. */
    static final String NOT_PERMITTED = "You do not have the required permissions needed to perform this operation.";

    private final Program az;

    private AzureCli(Program az) {
        this.az = az;
    }

    static AzureCli of(Server server, Path folder) {
        return new AzureCli(
                withoutCredentials(folder).az.with("AZURE_STORAGE_CONNECTION_STRING", server.connectionString()));
    }

    /** One that uses the account by the host names of the service, which lead to a server with this certificate. */
    static AzureCli byNamesOfTheService(AzureHosts hosts, AzureCertificate certificate, Path folder) {
        return new AzureCli(withoutCredentials(folder)
                .az
                .with("HTTPS_PROXY", hosts.url())
                .with("REQUESTS_CA_BUNDLE", certificate.certificate().toString())
                .with("AZURE_STORAGE_ACCOUNT", Server.ACCOUNT)
                .with("AZURE_STORAGE_KEY", Server.KEY));
    }

    /** Returns a program that is configured by its arguments only. */
    static AzureCli withoutCredentials(Path folder) {
        return new AzureCli(Program.installed("az", "the Debian package azure-cli", folder)
                .with("AZURE_CONFIG_DIR", folder.resolve(".azure").toString())
                .with("AZURE_CORE_COLLECT_TELEMETRY", "no")
                .with("AZURE_CORE_ONLY_SHOW_ERRORS", "yes"));
    }

    /**
     * Runs {@code az storage} and returns its output as tab-separated values.
     *
     * @param command the command and its options, between single spaces
     * @param more arguments that may contain spaces
     */
    String run(String command, String... more) {
        return az.run(arguments(command, more)).strip();
    }

    /** Like {@link #run}, for commands that print a line for each value. */
    List<String> lines(String command, String... more) {
        return run(command, more).lines().toList();
    }

    /** Runs a command that must fail, and returns its error output. */
    String fails(String command, String... more) {
        return az.attempt(arguments(command, more)).failed();
    }

    private static String[] arguments(String command, String... more) {
        return Stream.of(
                        Stream.of("storage"),
                        Stream.of(command.split(" ")),
                        Stream.of(more),
                        Stream.of("--output", "tsv"))
                .flatMap(arguments -> arguments)
                .toArray(String[]::new);
    }
}
