package dev.trestle.cli;

import dev.trestle.blob.ContentCopy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.RowLoader;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code trestle copy}: copies all that is in a data folder into a cluster, and proves that both hold the same. */
final class CopyCommand {
    static final String NAME = "copy";

    private static final String AGAIN = "--again";
    private static final int PAGE_ROWS = 1000;
    private static final int PAGE_BYTES = 4 << 20;
    private static final KeyRange EVERYTHING = new KeyRange(new byte[] {1}, new byte[] {(byte) 0xFF, (byte) 0xFF});

    private final PrintStream out;
    private final PrintStream err;

    CopyCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        CommandSpec command = CommandSpec.create().name(NAME);
        command.usageMessage()
                .description(
                        "Copies all tables, queues and blobs of a data folder into an HBase cluster, with their ETags and"
                                + " times, and then compares both row by row, and contents with their checksums.")
                .footer("", "The server of the folder has to be stopped, and nobody may use the namespace meanwhile.")
                .sortOptions(false);
        command.addOption(OptionSpec.builder(ServeOption.DATA.flag())
                .type(String.class)
                .arity("1")
                .paramLabel("DIR")
                .description("The folder to copy.")
                .build());
        ClusterOptions.addTo(command);
        ClusterOptions.addContentTo(command);
        command.addOption(OptionSpec.builder(AGAIN)
                .type(boolean.class)
                .description("Copy into a namespace that holds something already, as after a copy that was broken off.")
                .build());
        return command;
    }

    /** Runs it and returns the exit code. */
    int run(ParseResult given, Map<String, String> environment) throws InterruptedException {
        String folder = given.matchedOptionValue(ServeOption.DATA.flag(), (String) null);
        if (folder == null || !Files.isDirectory(Path.of(folder))) {
            throw new ConfigException("The copy needs --data DIR, the folder of a server that is stopped"
                    + (folder == null ? "." : ", and there is no folder " + folder + "."));
        }
        try {
            Storage source = ServerProcess.openStorage(EngineName.ROCKSDB, StorageConfig.at(Path.of(folder)));
            try (Engine engine = source.engine();
                    ContentStore contents = source.contents().get()) {
                return copy(engine, contents, ClusterOptions.open(given, environment), given.hasMatchedOption(AGAIN));
            }
        } catch (EngineException e) {
            err.println(e.getMessage());
            return Main.FAILED;
        }
    }

    private int copy(Engine source, ContentStore contents, Storage target, boolean again) throws InterruptedException {
        try (Engine cluster = target.engine();
                TargetContents copies = new TargetContents(target)) {
            if (!again && !isEmpty(cluster)) {
                throw new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The namespace holds data already. Choose another with --hbase-namespace, or say " + AGAIN
                                + " to go on with a copy that was broken off.");
            }
            copyContents(source, contents, copies);
            copy(source, target);
            return compare(source, cluster) && areSound(cluster, copies) ? Main.OK : Main.FAILED;
        }
    }

    private static boolean isEmpty(Engine engine) {
        try (RowPage page = page(engine, EVERYTHING, 1)) {
            return page.size() == 0;
        }
    }

    /** The cluster's store of contents, opened when it is first asked for: whoever has no blobs need not say where. */
    private static final class TargetContents implements AutoCloseable {
        private final Storage target;
        private Optional<ContentStore> opened = Optional.empty();

        TargetContents(Storage target) {
            this.target = target;
        }

        /** Asked by one thread at a time. */
        synchronized ContentStore open() {
            if (opened.isEmpty()) {
                opened = Optional.of(target.contents().get());
            }
            return opened.get();
        }

        synchronized Optional<ContentStore> opened() {
            return opened;
        }

        @Override
        public synchronized void close() {
            opened.ifPresent(ContentStore::close);
        }
    }

    /** Before the rows, which must not refer to what is not there. */
    private void copyContents(Engine source, ContentStore contents, TargetContents copies) {
        ClusterOptions.await(new ScrubCommand(out, err).blobs(source, contents).recover());
        Progress progress = new Progress("Copied", "bytes of contents");
        ContentCopy copy = new ContentCopy(contents, copies::open, progress::add);
        ClusterOptions.await(Catalogue.names(source)).keySet().forEach(copy::copy);
        if (copy.contents() > 0) {
            progress.end();
        }
    }

    /** Reads what was copied of contents once more, against the checksums in the rows. */
    private boolean areSound(Engine cluster, TargetContents copies) throws InterruptedException {
        if (copies.opened().isEmpty()) {
            return true;
        }
        ScrubCommand scrub = new ScrubCommand(out, err);
        return scrub.scrub(cluster, scrub.blobs(cluster, copies.open()), true) == Main.OK;
    }

    private void copy(Engine source, Storage target) {
        RowLoader loader = target.loader().orElseThrow();
        Progress progress = new Progress("Copied", "rows");
        for (Optional<KeyRange> rest = Optional.of(EVERYTHING); rest.isPresent(); ) {
            try (RowPage page = page(source, rest.get(), PAGE_ROWS)) {
                ClusterOptions.await(loader.load(page));
                progress.add(page.size());
                rest = rest(rest.get(), page);
            }
        }
        progress.end();
    }

    /** Walks through both at once; the digest is of all keys and rows, so that it can be compared with another's. */
    private boolean compare(Engine source, Engine cluster) {
        MessageDigest digest = sha256();
        Progress progress = new Progress("Compared", "rows");
        try (Walk ours = new Walk(source);
                Walk theirs = new Walk(cluster)) {
            return compare(ours, theirs, digest, progress);
        }
    }

    private boolean compare(Walk ours, Walk theirs, MessageDigest digest, Progress progress) {
        ours.advance();
        theirs.advance();
        while (!ours.isOver()
                && !theirs.isOver()
                && ours.key().equals(theirs.key())
                && Arrays.equals(ours.row(), theirs.row())) {
            digest.update(ours.key().bytes());
            digest.update(ours.row());
            progress.add(1);
            ours.advance();
            theirs.advance();
        }
        progress.end();
        if (!ours.isOver() || !theirs.isOver()) {
            err.println("They differ at " + (ours.isOver() ? theirs : ours).key()
                    + ". Was one of them in use? Copy again with " + AGAIN + ", or into a namespace of its own.");
            return false;
        }
        out.println("Both hold the same: " + progress.done() + " rows, SHA-256 "
                + HexFormat.of().formatHex(digest.digest()));
        return true;
    }

    /** All rows of an engine, one after the other. */
    private static final class Walk implements AutoCloseable {
        private final Engine engine;
        private Optional<KeyRange> rest = Optional.of(EVERYTHING);
        private RowPage page = new RowPage.Builder().end();
        private int index = -1;

        Walk(Engine engine) {
            this.engine = engine;
        }

        /** Goes to the next row, if there is one. */
        void advance() {
            index++;
            while (isOver() && rest.isPresent()) {
                page.close();
                page = CopyCommand.page(engine, rest.get(), PAGE_ROWS);
                rest = CopyCommand.rest(rest.get(), page);
                index = 0;
            }
        }

        boolean isOver() {
            return index >= page.size();
        }

        Key key() {
            return page.key(index);
        }

        byte[] row() {
            return page.row(index);
        }

        @Override
        public void close() {
            page.close();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static RowPage page(Engine engine, KeyRange range, int rows) {
        return ClusterOptions.await(engine.scan(new Scan(
                List.of(range), Filter.ALL, List.of(), new Scan.Limits(rows, PAGE_BYTES, Duration.ofSeconds(30)))));
    }

    private static Optional<KeyRange> rest(KeyRange range, RowPage page) {
        return page.resume().map(key -> range.startingAt(key.bytes()));
    }

    /** Says how far it is, once a second. */
    private final class Progress {
        private final String verb;
        private final String unit;
        private final long startNanos = System.nanoTime();
        private long toldNanos = startNanos;
        private long done;

        Progress(String verb, String unit) {
            this.verb = verb;
            this.unit = unit;
        }

        void add(int more) {
            done += more;
            long now = System.nanoTime();
            if (now - toldNanos > TimeUnit.SECONDS.toNanos(1)) {
                toldNanos = now;
                tell("...");
            }
        }

        long done() {
            return done;
        }

        void end() {
            tell("");
        }

        private void tell(String more) {
            double seconds = Math.max(0.001, (System.nanoTime() - startNanos) / 1e9);
            out.printf(Locale.ROOT, "%s %,d %s, %,.0f a second %s%n", verb, done, unit, done / seconds, more);
        }
    }
}
