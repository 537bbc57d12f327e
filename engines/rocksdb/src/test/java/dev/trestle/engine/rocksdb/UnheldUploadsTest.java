package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.Scrub;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Upload;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.FaultyEngine.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of uploads that no blob came to hold: they are gone when the request has ended. */
class UnheldUploadsTest {
    private static final String ACCOUNT = "account";
    private static final ContainerName PICTURES = new ContainerName("pictures");
    private static final int BYTES = StagedContent.IN_MEMORY_BYTES_MAX + 1;
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    private Path folder;

    private RocksEngine engine;
    private FaultyEngine faulty;
    private ContentStore store;
    private BlobService blobs;

    @BeforeEach
    void open() {
        engine = RocksEngine.open(
                RocksEngineConfig.inMemory().withMemoryBytes(RocksEngineConfig.MEMORY_BYTES_MIN), CLOCK);
        faulty = new FaultyEngine(engine);
        store = LocalContentStore.open(folder, false);
        Catalogue catalogue = new Catalogue(Service.BLOB, faulty, CLOCK, new Random(7)).with(store);
        blobs = new BlobService(faulty, store, catalogue, CLOCK, new Random(8), trouble -> {});
        create();
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    private void create() {
        await(blobs.containers().create(ACCOUNT, PICTURES, Map.of(), PublicAccess.NONE));
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Throwable failureOf(CompletionStage<?> stage) {
        return await(stage.handle(
                (value, failure) -> failure == null ? new AssertionError(value) : StageFailures.cause(failure)));
    }

    private static void assertRefused(CompletionStage<?> stage, StorageError error) {
        assertThat(failureOf(stage))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(error));
    }

    private static BlobAddress at(String name) {
        return new BlobAddress(ACCOUNT, PICTURES, new BlobName(name));
    }

    private static NewBlob guarded(AccessConditions guard) {
        return new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), guard, true);
    }

    private static NewBlob plain() {
        return guarded(AccessConditions.NONE);
    }

    /** Holds for no blob. */
    private static AccessConditions never() {
        return new AccessConditions(
                new Conditions(List.of("0x1"), List.of(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty());
    }

    private StagedContent upload(String name) {
        Upload upload = await(blobs.upload(at(name)));
        await(upload.write(ByteBuffer.allocate(BYTES)));
        return await(upload.finish());
    }

    private List<String> incoming() {
        try (Stream<Path> files = Files.list(folder.resolve("incoming"))) {
            return files.map(Path::toString).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files go on threads of the store, soon after the request has its response. */
    private void awaitIncoming(int files) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (incoming().size() != files) {
            assertThat(System.nanoTime() - deadline).as("%s", incoming()).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void one_whose_container_is_deleted_before_it_ends_leaves_no_file() {
        StagedContent sealed = upload("a");
        Upload upload = await(blobs.upload(at("b")));
        await(upload.write(ByteBuffer.allocate(BYTES)));
        await(blobs.containers().delete(ACCOUNT, PICTURES, AccessConditions.NONE));
        assertRefused(blobs.blocks().put(at("a"), plain(), sealed), StorageError.CONTAINER_NOT_FOUND);
        StagedContent late = await(upload.finish());
        assertRefused(
                blobs.blocks().putBlock(at("b"), "AAAA", Optional.empty(), late), StorageError.CONTAINER_NOT_FOUND);
        awaitIncoming(0);
    }

    @Test
    void one_whose_container_is_made_again_before_it_ends_is_refused_and_leaves_no_file() {
        StagedContent whole = upload("a");
        StagedContent block = upload("b");
        StagedContent append = upload("c");
        await(blobs.containers().delete(ACCOUNT, PICTURES, AccessConditions.NONE));
        create();
        await(blobs.appends().create(at("c"), plain()));
        assertRefused(blobs.blocks().put(at("a"), plain(), whole), StorageError.CONTAINER_NOT_FOUND);
        assertRefused(
                blobs.blocks().putBlock(at("b"), "AAAA", Optional.empty(), block), StorageError.CONTAINER_NOT_FOUND);
        assertRefused(blobs.appends().append(at("c"), append, anywhere()), StorageError.CONTAINER_NOT_FOUND);
        awaitIncoming(0);
        assertRefused(blobs.find(at("a"), OptionalLong.empty(), AccessConditions.NONE), StorageError.BLOB_NOT_FOUND);
    }

    private static AppendBlobs.Terms anywhere() {
        return new AppendBlobs.Terms(AccessConditions.NONE, OptionalLong.empty(), OptionalLong.empty());
    }

    @Test
    void one_that_is_refused_leaves_no_file() {
        await(blobs.blocks().put(at("a"), plain(), StagedContent.inMemory(new byte[1], 0, 1)));
        await(blobs.appends().create(at("log"), plain()));
        StagedContent whole = upload("a");
        assertRefused(blobs.blocks().put(at("a"), guarded(never()), whole), StorageError.CONDITION_NOT_MET);
        assertRefused(
                blobs.blocks().putBlock(at("log"), "AAAA", Optional.empty(), upload("log")),
                StorageError.INVALID_BLOB_TYPE);
        assertRefused(blobs.appends().append(at("a"), upload("a"), anywhere()), StorageError.INVALID_BLOB_TYPE);
        assertRefused(
                blobs.checked(upload("a"), staged -> {
                    throw new StorageException(StorageError.MD5_MISMATCH);
                }),
                StorageError.MD5_MISMATCH);
        awaitIncoming(0);
    }

    @Test
    void one_that_its_client_gave_up_leaves_no_file() {
        Upload unwritten = await(blobs.upload(at("a")));
        Upload written = await(blobs.upload(at("a")));
        await(written.write(ByteBuffer.allocate(BYTES)));
        unwritten.abandon();
        written.abandon();
        awaitIncoming(0);
    }

    @Test
    void while_the_engine_takes_no_commits_uploads_are_refused_before_they_bring_bytes() {
        StagedContent first = upload("a");
        faulty.failNext(Call.COMMIT, EngineException.Kind.FULL);
        assertRefused(blobs.blocks().put(at("a"), plain(), first), StorageError.SERVER_BUSY);
        for (int i = 0; i < 40; i++) {
            faulty.failNext(Call.COMMIT, EngineException.Kind.FULL);
            assertRefused(blobs.upload(at("a"), BYTES), StorageError.SERVER_BUSY);
        }
        assertThat(incoming()).as("of the one that found the disk full").hasSize(2);
        put("b");
        awaitIncoming(0);
        assertRefused(blobs.find(at("a"), OptionalLong.empty(), AccessConditions.NONE), StorageError.BLOB_NOT_FOUND);
    }

    private void put(String name) {
        await(blobs.blocks().put(at(name), plain(), upload(name)));
    }

    @Test
    void one_whose_commit_failed_after_it_took_effect_is_kept() {
        StagedContent staged = upload("a");
        Runnable parts = faulty.delayNext(Call.COMMIT);
        faulty.loseNextAnswer(Call.COMMIT, EngineException.Kind.FULL);
        CompletionStage<?> lost = blobs.blocks().put(at("a"), plain(), staged);
        parts.run();
        assertRefused(lost, StorageError.SERVER_BUSY);
        put("b");
        awaitIncoming(0);
        Found found = new Found();
        await(blobs.scrub().scrub(ACCOUNT, true, found));
        assertThat(found.sound).isEqualTo(2);
        assertThat(found.damaged).isZero();
    }

    @Test
    void a_scrub_removes_what_no_blob_came_to_hold() {
        StagedContent staged = upload("a");
        faulty.failNext(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertThat(failureOf(blobs.blocks().put(at("a"), plain(), staged))).isInstanceOf(EngineException.class);
        assertThat(incoming()).hasSize(2);
        await(blobs.scrub().scrub(ACCOUNT, false, new Found()));
        awaitIncoming(0);
    }

    private static final class Found implements Scrub.Findings {
        private int sound;
        private int damaged;

        @Override
        public void sound(long bytes) {
            sound++;
        }

        @Override
        public void damaged(String container, String blob, String what) {
            damaged++;
        }

        @Override
        public void removed(String container, String what) {}
    }

    @Test
    void an_upload_for_which_the_disk_has_no_room_is_refused_before_it_brings_bytes() {
        assertThat(failureOf(blobs.upload(at("a"), Long.MAX_VALUE / 2)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(StorageError.SERVER_BUSY))
                .hasMessageContaining("The disk of the server is full.");
        await(blobs.upload(at("a"), BYTES)).abandon();
        assertThat(incoming()).isEmpty();
    }
}
