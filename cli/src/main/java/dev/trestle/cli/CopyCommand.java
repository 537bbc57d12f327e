package dev.trestle.cli;

import dev.trestle.blob.ContentCopy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.commandline.Version;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trestle copy}: copies a data folder into a cluster and verifies that both are equal. */
@Command(
        name = "copy",
        description = "Copies all tables, queues and blobs of a data folder into an HBase cluster, with their ETags and"
                + " times, and then compares both row by row, and contents with their checksums.",
        footer = {"", "The server of the folder must be stopped, and nothing else may use the namespace."},
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class CopyCommand implements Callable<Integer> {
    private static final String AGAIN = "--again";
    private static final int PAGE_ROWS = 1000;
    private static final int PAGE_BYTES = 4 << 20;
    private static final KeyRange EVERYTHING = new KeyRange(new byte[] {1}, new byte[] {(byte) 0xFF, (byte) 0xFF});

    private final PrintStream out;
    private final PrintStream err;

    @Option(names = "--data", paramLabel = "DIR")
    private Optional<Path> data;

    @Mixin
    private final ClusterOptions clusterOptions = new ClusterOptions();

    @Option(names = AGAIN)
    private boolean again;

    CopyCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path folder = data.orElseThrow(
                () -> new ConfigException("The copy needs --data DIR, the folder of a server that is stopped."));
        if (!Files.isDirectory(folder)) {
            throw new ConfigException(
                    "The copy needs --data DIR, the folder of a server that is stopped, and there is no" + " folder "
                            + folder + ".");
        }
        Storage source = ServerProcess.openStorage(EngineName.ROCKSDB, StorageConfig.at(folder));
        try (Engine engine = source.engine();
                ContentStore contents = source.contents().get()) {
            return copy(engine, contents, clusterOptions.open());
        }
    }

    private int copy(Engine source, ContentStore contents, Storage target) throws InterruptedException {
        try (Engine cluster = target.engine();
                TargetContents copies = new TargetContents(target)) {
            if (!again && !isEmpty(cluster)) {
                throw new EngineException(
                        EngineException.Kind.UNAVAILABLE,
                        "The namespace holds data already. Choose another with --hbase-namespace, or continue an"
                                + " interrupted copy with " + AGAIN + ".");
            }
            copyContents(source, contents, copies);
            copy(source, target);
            boolean equal = compare(source, cluster) && areSound(cluster, copies);
            return equal ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private static boolean isEmpty(Engine engine) {
        try (RowPage page = page(engine, EVERYTHING, 1)) {
            return page.size() == 0;
        }
    }

    /** The content store of the cluster, opened on first use: a copy without blobs needs no place for content. */
    private static final class TargetContents implements AutoCloseable {
        private final Storage target;
        private Optional<ContentStore> opened = Optional.empty();

        TargetContents(Storage target) {
            this.target = target;
        }

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

    /** Copies contents before the rows that reference them. */
    private void copyContents(Engine source, ContentStore contents, TargetContents copies) {
        Stages.await(new ScrubCommand(out, err).blobs(source, contents).recover());
        Progress progress = new Progress("Copied", "bytes of contents");
        ContentCopy copy = new ContentCopy(contents, copies::open, progress::add);
        Stages.await(Catalogue.names(source)).keySet().forEach(copy::copy);
        if (copy.contents() > 0) {
            progress.end();
        }
    }

    /** Verifies the copied contents with the checksums in the rows. */
    private boolean areSound(Engine cluster, TargetContents copies) throws InterruptedException {
        if (copies.opened().isEmpty()) {
            return true;
        }
        ScrubCommand scrub = new ScrubCommand(out, err);
        return scrub.scrub(cluster, scrub.blobs(cluster, copies.open()), true) == ExitCode.OK;
    }

    private void copy(Engine source, Storage target) {
        RowLoader loader = target.loader().orElseThrow();
        Progress progress = new Progress("Copied", "rows");
        for (Optional<KeyRange> rest = Optional.of(EVERYTHING); rest.isPresent(); ) {
            try (RowPage page = page(source, rest.get(), PAGE_ROWS)) {
                Stages.await(loader.load(page));
                progress.add(page.size());
                rest = rest(rest.get(), page);
            }
        }
        progress.end();
    }

    /** Compares the rows of both engines, and prints a digest of all keys and rows. */
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
                    + ". If one of them was in use, copy again with " + AGAIN + ", or into another namespace.");
            return false;
        }
        out.println("Both hold the same: " + progress.done() + " rows, SHA-256 "
                + HexFormat.of().formatHex(digest.digest()));
        return true;
    }

    /** Iterates over all rows of an engine. */
    private static final class Walk implements AutoCloseable {
        private final Engine engine;
        private Optional<KeyRange> rest = Optional.of(EVERYTHING);
        private RowPage page = new RowPage.Builder().end();
        private int index = -1;

        Walk(Engine engine) {
            this.engine = engine;
        }

        /** Moves to the next row, if there is one. */
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
        return Stages.await(engine.scan(new Scan(
                List.of(range), Filter.ALL, List.of(), new Scan.Limits(rows, PAGE_BYTES, Duration.ofSeconds(30)))));
    }

    private static Optional<KeyRange> rest(KeyRange range, RowPage page) {
        return page.resume().map(key -> range.startingAt(key.bytes()));
    }

    /** Prints the progress once a second. */
    private final class Progress {
        private final String verb;
        private final String unit;
        private final long startNanos = System.nanoTime();
        private long printedNanos = startNanos;
        private long done;

        Progress(String verb, String unit) {
            this.verb = verb;
            this.unit = unit;
        }

        void add(int more) {
            done += more;
            long now = System.nanoTime();
            if (now - printedNanos > TimeUnit.SECONDS.toNanos(1)) {
                printedNanos = now;
                print("...");
            }
        }

        long done() {
            return done;
        }

        void end() {
            print("");
        }

        private void print(String more) {
            double seconds = Math.max(0.001, (System.nanoTime() - startNanos) / 1e9);
            out.printf(Locale.ROOT, "%s %,d %s, %,.0f a second %s%n", verb, done, unit, done / seconds, more);
        }
    }
}
