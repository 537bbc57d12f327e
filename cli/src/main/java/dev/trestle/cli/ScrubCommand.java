package dev.trestle.cli;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.commandline.UsageErrors;
import dev.trestle.commandline.Version;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.server.admin.ScrubRunner;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code trestle scrub}: verifies rows and blob contents with their checksums, and removes unreferenced contents. */
@Command(
        name = "scrub",
        description = "Compares the rows and the contents of all blobs with their checksums, and removes unreferenced"
                + " contents. Exits with 1 if anything is damaged.",
        footer = {
            "",
            "The server continues to serve. The output has a line for each finding, the progress once a second, and a sum"
                    + " at the end."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class ScrubCommand implements Callable<Integer> {
    private static final String ADMIN_DEFAULT = "http://127.0.0.1:10003";
    private static final int OK_STATUS = 200;
    private static final int NOT_FOUND = 404;

    private final PrintStream out;
    private final PrintStream err;

    @Option(names = "--admin", paramLabel = "URL", converter = Admin.class)
    private Optional<URI> admin;

    @Option(names = "--data", paramLabel = "DIR")
    private Optional<Path> data;

    @Option(names = "--no-verify")
    private boolean noVerify;

    ScrubCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (data.isEmpty()) {
            return ask(admin.orElse(URI.create(ADMIN_DEFAULT)), !noVerify);
        }
        if (admin.isPresent()) {
            throw new ConfigException(
                    "The options --admin and --data contradict each other: scrub a server with --admin,"
                            + " or the folder of a stopped one with --data.");
        }
        if (!Files.isDirectory(data.get())) {
            throw new ConfigException("There is no folder " + data.get() + ".");
        }
        return open(data.get(), !noVerify);
    }

    /** Parses the URL of an admin port. */
    static final class Admin implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            try {
                URI uri = URI.create(text.replaceAll("/+$", ""));
                if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                    return uri;
                }
            } catch (IllegalArgumentException e) {
                // Refused below, like other URLs.
            }
            throw new TypeConversionException(
                    UsageErrors.TAKES + "an address such as " + ADMIN_DEFAULT + ", not " + text + ".");
        }
    }

    private int ask(URI admin, boolean verify) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin + "/scrub" + (verify ? "" : "?verify=false")))
                .POST(BodyPublishers.noBody())
                .build();
        try {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpResponse<Stream<String>> response = client.send(request, BodyHandlers.ofLines());
            try (Stream<String> lines = response.body()) {
                if (response.statusCode() == NOT_FOUND) {
                    err.println("The server at " + admin + " serves no blobs, or is not Trestle.");
                    return ExitCode.SOFTWARE;
                }
                if (response.statusCode() != OK_STATUS) {
                    lines.forEach(err::println);
                    return ExitCode.SOFTWARE;
                }
                Verdict verdict = new Verdict();
                lines.forEach(verdict);
                return verdict.exitCode();
            }
        } catch (ConnectException e) {
            err.println("No server responds at " + admin
                    + "; give its admin port with --admin, or the folder of a stopped server with --data.");
        } catch (IOException | UncheckedIOException e) {
            err.println("The scrub was interrupted: " + e.getMessage() + ".");
        }
        return ExitCode.SOFTWARE;
    }

    private int open(Path folder, boolean verify) throws InterruptedException {
        Storage storage = ServerProcess.openStorage(EngineName.ROCKSDB, StorageConfig.at(folder));
        try (Engine engine = storage.engine();
                ContentStore store = storage.contents().get()) {
            BlobService blobs = blobs(engine, store);
            Stages.await(blobs.recover());
            return scrub(engine, blobs, verify);
        }
    }

    /** Returns the blob service on an engine that no server uses. */
    BlobService blobs(Engine engine, ContentStore store) {
        Catalogue containers =
                new Catalogue(Service.BLOB, engine, InstantSource.system(), new SecureRandom()).with(store);
        return new BlobService(
                engine,
                store,
                containers,
                InstantSource.system(),
                new SecureRandom(),
                failure -> err.println("Could not remove unreferenced content: " + failure.getMessage()));
    }

    /** Scrubs, prints the findings, and returns the exit code. */
    int scrub(Engine engine, BlobService blobs, boolean verify) throws InterruptedException {
        Verdict verdict = new Verdict();
        ScrubRunner.Run run = new ScrubRunner(engine.rowVerification(), Optional.of(blobs.scrub()))
                .start(verify, verdict)
                .orElseThrow();
        verdict.accept(Stages.await(run.done(), () -> out.println(run.progress())));
        return verdict.exitCode();
    }

    /** Prints the lines of a scrub and derives the exit code from them. */
    private final class Verdict implements Consumer<String> {
        private volatile boolean damaged;
        private volatile boolean done;

        @Override
        public void accept(String line) {
            out.println(line);
            out.flush();
            damaged |= line.startsWith(ScrubRunner.DAMAGED);
            done = line.startsWith(ScrubRunner.DONE);
        }

        int exitCode() {
            return done && !damaged ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
