package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.testkit.ContentStoreContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store on the local file system, as in a cluster that is one process; on HDFS it is tested with a cluster. */
class HdfsContentStoreTest {
    private static final long COLLECTION = -1;

    @TempDir
    private Path folder;

    private Duration passed = Duration.ZERO;

    /** The settings of a cluster with its files in a local folder. */
    private HBaseEngineConfig config() throws IOException {
        Files.writeString(folder.resolve("hbase-site.xml"), """
                <configuration>
                  <property><name>hbase.rootdir</name><value>%s</value></property>
                </configuration>
                """.formatted(
                        folder.resolve("data/hbase").toUri()));
        return HBaseEngineConfig.at(folder).withLateWriterGrace(Duration.ZERO);
    }

    private ContentStore open(HBaseEngineConfig config) {
        return HdfsContentStore.open(config, clock());
    }

    private InstantSource clock() {
        return () -> Instant.now().plus(passed);
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void seal(ContentStore store, String name) {
        ContentStore.Sink sink = store.create(COLLECTION, name, piece -> {});
        await(sink.write(ByteBuffer.allocate(10)));
        await(sink.seal(new byte[] {1}));
    }

    @Nested
    class Synced extends ContentStoreContract {
        @Override
        protected ContentStore open() throws IOException {
            return HdfsContentStoreTest.this.open(config());
        }

        @Override
        protected void grow() {
            passed = passed.plusDays(2);
        }
    }

    @Test
    void contents_lie_beside_what_hbase_has_in_a_folder_of_the_namespace() throws IOException {
        try (ContentStore store = open(config().withNamespace("mine"))) {
            seal(store, "c");
        }
        assertThat(folder.resolve("data/trestle/mine/incoming/ffffffffffffffff-c"))
                .hasSize(10);
    }

    @Test
    void another_folder_may_be_chosen() throws IOException {
        Path chosen = folder.resolve("chosen");
        try (ContentStore store = open(config().withContentFolder(chosen.toUri().toString()))) {
            seal(store, "c");
            await(store.keep(COLLECTION, "c"));
        }
        try (Stream<Path> files = Files.walk(chosen)) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("no checksums or owners beside it")
                    .map(file -> String.valueOf(file.getFileName()))
                    .containsExactly("c");
        }
    }

    @Test
    void without_a_folder_the_store_is_refused_with_a_sentence() {
        assertThatThrownBy(() -> open(HBaseEngineConfig.at("zoo:2181")))
                .isInstanceOf(EngineException.class)
                .hasMessage(
                        "Where contents are to be is not known: it takes --hbase-conf DIR with an hbase-site.xml that"
                                + " sets hbase.rootdir, or --hbase-content-dir URI.");
    }

    @Test
    void a_folder_that_cannot_be_used_is_refused_with_a_sentence() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        HBaseEngineConfig config = config().withContentFolder(file.toUri().toString());
        assertThatThrownBy(() -> open(config))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("cannot be used");
    }

    @Test
    void what_another_front_end_may_be_about_to_keep_is_left_to_it_for_a_day() throws IOException {
        try (ContentStore other = open(config());
                ContentStore store = open(config())) {
            seal(other, "c");
            ContentStore.Sink writing = other.create(COLLECTION, "d", piece -> {});
            await(writing.write(ByteBuffer.allocate(10)));
            passed = Duration.ofHours(23);
            await(store.resolve((owner, collection, name) -> {
                throw new AssertionError("asked for " + name);
            }));
            await(writing.seal(new byte[] {1}));
            await(other.keep(COLLECTION, "c"));
            await(other.keep(COLLECTION, "d"));
        }
    }

    @Test
    @Timeout(60)
    void what_others_keep_just_after_a_drop_goes_too() throws IOException {
        Path sealed = folder.resolve("data/trestle/mine/incoming/ffffffffffffffff-c");
        try (ContentStore other = open(config().withNamespace("mine"));
                ContentStore store = open(config().withNamespace("mine").withLateWriterGrace(Duration.ofSeconds(3)))) {
            seal(other, "c");
            assertThat(sealed).exists();
            ContentStore.Sink late = other.create(COLLECTION, "d", piece -> {});
            await(late.write(ByteBuffer.allocate(10)));
            var dropped = store.drop(COLLECTION);
            Awaitility.await().until(() -> Files.notExists(sealed));
            await(late.seal(new byte[] {1}));
            await(other.keep(COLLECTION, "d"));
            await(dropped);
            await(store.names(COLLECTION, name -> {
                throw new AssertionError(name + " is left");
            }));
        }
    }
}
