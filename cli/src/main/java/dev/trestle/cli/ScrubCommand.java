package dev.trestle.cli;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.server.admin.Scrubbing;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code trestle scrub}: compares the rows and the contents of all blobs with their checksums, and removes what no blob
 * holds.
 */
final class ScrubCommand {
    static final String NAME = "scrub";

    private static final String ADMIN = "--admin";
    private static final String NO_VERIFY = "--no-verify";
    private static final String DEFAULT_ADMIN = "http://127.0.0.1:10003";
    private static final int OK_STATUS = 200;
    private static final int NOT_FOUND = 404;

    private final PrintStream out;
    private final PrintStream err;

    ScrubCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        CommandSpec command = CommandSpec.create().name(NAME);
        command.usageMessage()
                .description(
                        "Compares the rows and the contents of all blobs with their checksums, and removes what no blob"
                                + " holds. Exits with 1 when anything is damaged.")
                .footer(
                        "",
                        "A server goes on serving meanwhile. There is one line for each finding, how far it is once a"
                                + " second, and a sum at the end.")
                .sortOptions(false);
        command.addOption(OptionSpec.builder(ADMIN)
                .type(String.class)
                .arity("1")
                .paramLabel("URL")
                .description("Admin port of the server to ask. Default: " + DEFAULT_ADMIN + ".")
                .build());
        command.addOption(OptionSpec.builder(ServeOption.DATA.flag())
                .type(String.class)
                .arity("1")
                .paramLabel("DIR")
                .description("Folder of a server that is stopped, instead.")
                .build());
        command.addOption(OptionSpec.builder(NO_VERIFY)
                .type(boolean.class)
                .description("Read neither rows nor contents; only remove what no blob holds.")
                .build());
        return command;
    }

    /** Runs it and returns the exit code. */
    int run(ParseResult given) throws InterruptedException {
        boolean verify = !given.hasMatchedOption(NO_VERIFY);
        String folder = given.matchedOptionValue(ServeOption.DATA.flag(), (String) null);
        if (folder == null) {
            return ask(admin(given.matchedOptionValue(ADMIN, DEFAULT_ADMIN)), verify);
        }
        if (given.hasMatchedOption(ADMIN)) {
            throw new ConfigException(
                    "A scrub is of a server, with --admin, or of a folder, with --data; not of both.");
        }
        if (!Files.isDirectory(Path.of(folder))) {
            throw new ConfigException("There is no folder " + folder + ".");
        }
        return open(Path.of(folder), verify);
    }

    private static URI admin(String url) {
        try {
            URI uri = URI.create(url.replaceAll("/+$", ""));
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Told below, with the other addresses that will not do.
        }
        throw new ConfigException(
                "The option --admin takes an address such as " + DEFAULT_ADMIN + ", not " + url + ".");
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
                    err.println("The server at " + admin + " serves no blobs, or is no Trestle.");
                    return Main.FAILED;
                }
                if (response.statusCode() != OK_STATUS) {
                    lines.forEach(err::println);
                    return Main.FAILED;
                }
                Verdict verdict = new Verdict();
                lines.forEach(verdict);
                return verdict.exitCode();
            }
        } catch (ConnectException e) {
            err.println("No server answers at " + admin
                    + "; name its admin port with --admin, or the folder of one that" + " is stopped with --data.");
        } catch (IOException | UncheckedIOException e) {
            err.println("The scrub was broken off: " + e.getMessage() + ".");
        }
        return Main.FAILED;
    }

    private int open(Path folder, boolean verify) throws InterruptedException {
        try {
            Storage storage = ServerProcess.openStorage(EngineName.ROCKSDB, StorageConfig.at(folder));
            try (Engine engine = storage.engine();
                    ContentStore store = storage.contents().get()) {
                BlobService blobs = blobs(engine, store);
                await(blobs.recover().toCompletableFuture(), () -> {});
                return scrub(engine, blobs, verify);
            }
        } catch (EngineException e) {
            err.println(e.getMessage());
            return Main.FAILED;
        }
    }

    /** The blobs of an engine that no server uses. */
    BlobService blobs(Engine engine, ContentStore store) {
        Catalogue containers =
                new Catalogue(Service.BLOB, engine, InstantSource.system(), new SecureRandom()).with(store);
        return new BlobService(
                engine,
                store,
                containers,
                InstantSource.system(),
                new SecureRandom(),
                trouble -> err.println("Something was not removed: " + trouble.getMessage()));
    }

    /** Scrubs, tells what it finds, and returns the exit code. */
    int scrub(Engine engine, BlobService blobs, boolean verify) throws InterruptedException {
        Verdict verdict = new Verdict();
        Scrubbing.Run run = new Scrubbing(engine.rowVerification(), Optional.of(blobs.scrub()))
                .start(verify, verdict)
                .orElseThrow();
        verdict.accept(await(run.done().toCompletableFuture(), () -> out.println(run.progress())));
        return verdict.exitCode();
    }

    private static <T> T await(CompletableFuture<T> work, Runnable eachSecond) throws InterruptedException {
        while (true) {
            try {
                return work.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                eachSecond.run();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof EngineException trouble) {
                    throw trouble;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** Prints the lines and keeps in mind what they say. */
    private final class Verdict implements Consumer<String> {
        private volatile boolean damaged;
        private volatile boolean done;

        @Override
        public void accept(String line) {
            out.println(line);
            out.flush();
            damaged |= line.startsWith(Scrubbing.DAMAGED);
            done = line.startsWith(Scrubbing.DONE);
        }

        int exitCode() {
            return done && !damaged ? Main.OK : Main.FAILED;
        }
    }
}
