package dev.trestle.engine.hbase;

import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Commit;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;

/** A process that opens engine and contents like a server, uses each once, and prints the results. */
final class SecuredFrontEnd {
    private static final long COLLECTION = 0x0101_0101_0101_0107L;

    private SecuredFrontEnd() {}

    /** Arguments: the folder of the settings. */
    @SuppressWarnings("SystemOut") // The parent process reads it.
    public static void main(String[] arguments) throws Exception {
        try {
            ClusterConfig cluster = new ClusterConfig(
                    Optional.empty(), Optional.of(Path.of(arguments[0])), "secured", Optional.empty());
            Storage storage = new HBaseStorageProvider().open(StorageConfig.in(cluster), InstantSource.system());
            try (Engine engine = storage.engine();
                    ContentStore contents = storage.contents().get()) {
                String name = UUID.randomUUID().toString();
                System.out.println(
                        "user: " + UserGroupInformation.getCurrentUser().getUserName());
                System.out.println("committed: " + commit(engine, name));
                System.out.println("read: " + await(engine.read(key(name))).isPresent());
                System.out.println("scanned: " + scan(engine).size());
                System.out.println("content: " + content(contents, name));
            }
        } catch (EngineException e) {
            System.out.println("refused: " + e.getMessage());
        }
        // Immediately, because waiting threads would delay the exit.
        Runtime.getRuntime().halt(0);
    }

    private static Key key(String name) {
        return Key.of(COLLECTION, name, "r");
    }

    private static String commit(Engine engine, String name) throws Exception {
        byte[] row = new RowBuilder().put("N", new EdmValue.Int32(1)).build();
        Write write = new Write.Put(key(name), row, Precondition.ABSENT);
        return await(engine.commit(new Commit(COLLECTION, name, List.of(write))))
                .getClass()
                .getSimpleName();
    }

    private static RowPage scan(Engine engine) throws Exception {
        return await(engine.scan(new Scan(
                List.of(Key.collectionRange(COLLECTION)),
                Filter.ALL,
                List.of(),
                new Scan.Limits(1, 1 << 20, Duration.ofSeconds(10)))));
    }

    private static String content(ContentStore contents, String name) throws Exception {
        byte[] bytes = "words".getBytes(StandardCharsets.UTF_8);
        ContentStore.Sink sink = contents.create(COLLECTION, name, piece -> {});
        await(sink.write(ByteBuffer.wrap(bytes)));
        await(sink.seal(new byte[] {1}));
        await(contents.keep(COLLECTION, name));
        try (ContentStore.Source source = await(contents.open(COLLECTION, name))) {
            ByteBuffer into = ByteBuffer.allocate(bytes.length);
            await(source.read(0, into));
            return new String(into.array(), StandardCharsets.UTF_8);
        }
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
