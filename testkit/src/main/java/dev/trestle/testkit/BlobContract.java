package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Tier;
import dev.trestle.blob.Upload;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The fixture of the blob contract: a separate service with one container, on an engine and a content store. Only
 * the tests advance its clock.
 */
public abstract class BlobContract extends EngineContract {
    protected static final ContainerName LOGS = new ContainerName("logs");
    protected static final ContainerName OTHERS = new ContainerName("others");
    protected static final byte[] ONE = {1};

    /** Contents up to this size are stored in a row, larger ones in the content store. */
    protected static final int INLINE_MAX = StagedContent.IN_MEMORY_BYTES_MAX;

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Makes names unique, so that tests on one store do not find the containers of earlier runs. */
    private final Random random = new Random();

    protected final String account = "acct1" + Integer.toHexString(random.nextInt());

    /** Failures that the service could report to no request. */
    protected ConcurrentLinkedQueue<Throwable> troubles;

    protected FaultyEngine faulty;
    protected ContentStore store;
    protected Catalogue catalogue;
    protected BlobService blobs;

    private final StoreOpener opener;

    /** Opens the engine and the content store of a test. */
    public interface StoreOpener extends Opener {
        /**
         * Opens the content store. A second call in one test, after the first store was closed, opens the same
         * data.
         */
        ContentStore openContents() throws Exception;
    }

    protected BlobContract(StoreOpener opener) {
        super(opener);
        this.opener = opener;
    }

    @BeforeEach
    final void begin() throws Exception {
        store = opener.openContents();
        serve(engine);
        await(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE));
    }

    @AfterEach
    final void end() {
        assertThat(troubles).isEmpty();
        store.close();
    }

    /** Returns how often to repeat an operation: less often on a cluster, where each takes longer. */
    protected final int times(int usual) {
        return engine.isShared() ? Math.max(1, usual / 6) : usual;
    }

    /** Starts a new service, with empty caches. */
    protected final void serve(Engine on) {
        troubles = new ConcurrentLinkedQueue<>();
        faulty = new FaultyEngine(on);
        catalogue = new Catalogue(Service.BLOB, faulty, clock, random).with(store);
        blobs = new BlobService(faulty, store, catalogue, clock, random, troubles::add);
    }

    /** As after the end of the process. */
    protected final void restart() throws Exception {
        store.close();
        reopen();
        store = opener.openContents();
        // Some time, because the ticks of a clock that stands still were given one after the other.
        move(1);
        serve(engine);
        await(catalogue.resumeReclaiming(account));
        await(blobs.recover());
    }

    protected final Random random() {
        return random;
    }

    protected final void move(long seconds) {
        // Never to the very moment that something ends at, where a tick decides.
        clock.move(Duration.ofSeconds(seconds).plusMillis(1));
    }

    protected final BlobAddress at(String name) {
        return new BlobAddress(account, LOGS, new BlobName(name));
    }

    protected final BlobAddress in(ContainerName container, String name) {
        return new BlobAddress(account, container, new BlobName(name));
    }

    protected static NewBlob plain() {
        return guarded(AccessConditions.NONE);
    }

    protected static NewBlob guarded(AccessConditions guard) {
        return new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), guard, true);
    }

    protected final byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Bytes as they arrive for a blob: a few in memory, and more in the store. */
    protected final StagedContent staged(BlobAddress address, byte[] bytes) {
        if (bytes.length <= INLINE_MAX) {
            return StagedContent.inMemory(bytes, 0, bytes.length);
        }
        Upload upload = await(blobs.upload(address));
        int half = bytes.length / 2;
        await(upload.write(ByteBuffer.wrap(bytes, 0, half)));
        await(upload.write(ByteBuffer.wrap(bytes, half, bytes.length - half)));
        return await(upload.finish());
    }

    protected final Blob put(String name, byte[] bytes) {
        return put(at(name), bytes, plain());
    }

    protected final Blob put(BlobAddress address, byte[] bytes, NewBlob made) {
        return await(blobs.blocks().put(address, made, staged(address, bytes)));
    }

    protected final StorageError putError(String name, AccessConditions guard) {
        return errorOf(blobs.blocks().put(at(name), guarded(guard), StagedContent.inMemory(ONE, 0, 1)));
    }

    protected final void putBlock(String name, String id, byte[] bytes) {
        await(blobs.blocks().putBlock(at(name), id, Optional.empty(), staged(at(name), bytes)));
    }

    protected final AppendBlobs.Appended append(String name, byte[] bytes) {
        return await(blobs.appends().append(at(name), staged(at(name), bytes), terms()));
    }

    protected static AppendBlobs.Terms terms() {
        return new AppendBlobs.Terms(AccessConditions.NONE, OptionalLong.empty(), OptionalLong.empty());
    }

    protected final CompletionStage<Blob> setTier(String name, AccessConditions guard, String tier) {
        return blobs.setTier(at(name), OptionalLong.empty(), guard, tier, Tier.Priority.STANDARD);
    }

    protected final Blob find(String name) {
        return await(blobs.find(at(name), OptionalLong.empty(), AccessConditions.NONE));
    }

    protected final Optional<Blob> findIfThere(String name) {
        try {
            return Optional.of(find(name));
        } catch (AssertionError e) {
            assertThat(e).hasRootCauseInstanceOf(StorageException.class);
            return Optional.empty();
        }
    }

    protected final BlobReader open(BlobAddress address, OptionalLong snapshot) {
        return await(blobs.open(
                        address, snapshot, AccessConditions.NONE, blob -> new BlobService.Range(0, blob.length())))
                .reader();
    }

    /** All that is left to read. */
    protected static byte[] drain(BlobReader reader) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(10_000);
        while (await(reader.read(piece)) > 0) {
            all.write(piece.array(), 0, piece.position());
            piece.clear();
        }
        assertThat(reader.remaining()).isZero();
        return all.toByteArray();
    }

    protected final byte[] read(String name) {
        return read(at(name), OptionalLong.empty());
    }

    protected final byte[] read(BlobAddress address, OptionalLong snapshot) {
        try (BlobReader reader = open(address, snapshot)) {
            return drain(reader);
        }
    }

    protected final byte[] read(String name, int from, int length) {
        try (BlobReader reader = await(blobs.open(
                        at(name),
                        OptionalLong.empty(),
                        AccessConditions.NONE,
                        blob -> new BlobService.Range(from, length)))
                .reader()) {
            return drain(reader);
        }
    }

    protected final long container() {
        return await(catalogue.find(account, LOGS.value())).orElseThrow().id();
    }

    /** Returns the names of the contents that the store has for the container. */
    protected final List<String> contents() {
        return contents(container());
    }

    protected final List<String> contents(long container) {
        TreeSet<String> names = new TreeSet<>();
        await(store.names(container, names::add));
        return new ArrayList<>(names);
    }

    /** Waits until the store has this many contents. They are written and removed asynchronously. */
    protected final void awaitContents(int count) {
        eventually(() -> assertThat(contents()).hasSize(count));
    }

    protected static void eventually(Runnable assertion) {
        Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(SOON)
                .untilAsserted(assertion::run);
    }

    protected static List<Wanted> latest(String... ids) {
        return Arrays.stream(ids).map(id -> new Wanted(Among.LATEST, id)).toList();
    }

    protected final Blob commit(String name, List<Wanted> wanted) {
        return await(blobs.blocks().commit(at(name), wanted, plain()));
    }

    protected final StorageError commitError(String name, List<Wanted> wanted) {
        return errorOf(blobs.blocks().commit(at(name), wanted, plain()));
    }

    protected static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static byte[] concat(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    protected static void together(List<Callable<Void>> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            List<Future<Void>> done = new ArrayList<>();
            work.forEach(each -> done.add(threads.submit(each)));
            for (Future<Void> each : done) {
                each.get(120, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    protected final BlockBlobs.BlockLists blocks(String name) {
        return await(blobs.blocks().list(at(name), OptionalLong.empty(), AccessConditions.NONE));
    }
}
