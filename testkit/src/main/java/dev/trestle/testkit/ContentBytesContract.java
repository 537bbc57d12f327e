package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guarantees of a content store for the bytes of contents; {@link ContentStoreContract} has the others. */
public abstract class ContentBytesContract {
    protected static final long COLLECTION = EngineContract.COLLECTION;
    protected static final long OTHER = EngineContract.NEXT_COLLECTION;

    protected static final byte[] OWNER = {1, 2, 3, 0, -1};
    private static final int PIECE_MAX = 70_000;

    protected final long seed = Long.getLong("trestle.seed", System.nanoTime());
    protected final SplittableRandom random = new SplittableRandom(seed);

    protected ContentStore store;

    /** Opens the store. A second call in one test, after the first store was closed, opens the same data. */
    protected abstract ContentStore open() throws Exception;

    /** Returns a large number of contents: smaller for a slow store. */
    protected int many() {
        return 200;
    }

    /** Whether an open content can be read to its end after it was deleted. */
    protected boolean readsDeleted() {
        return true;
    }

    /** Advances the time, so that contents that were started before the store was opened count as abandoned. */
    protected void grow() throws Exception {}

    @BeforeEach
    final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    /** Reopens the store as after a restart of the process. */
    protected final void reopen() throws Exception {
        store.close();
        grow();
        store = open();
    }

    protected static <T> T await(CompletionStage<T> stage) {
        return EngineContract.await(stage);
    }

    protected final byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    protected final ContentStore.Sink sink(String name) {
        return store.create(COLLECTION, name, piece -> {});
    }

    /** Writes all in pieces of random length, in the heap or not. */
    protected final void write(ContentStore.Sink sink, byte[] bytes) {
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(PIECE_MAX));
            ByteBuffer piece = random.nextBoolean()
                    ? ByteBuffer.wrap(bytes, at, length)
                    : ByteBuffer.allocateDirect(length).put(0, bytes, at, length);
            await(sink.write(piece));
            assertThat(piece.hasRemaining()).isFalse();
            at += length;
        }
    }

    protected final void seal(long collection, String name, byte[] bytes) {
        ContentStore.Sink sink = store.create(collection, name, piece -> {});
        write(sink, bytes);
        await(sink.seal(OWNER));
    }

    protected final void put(long collection, String name, byte[] bytes) {
        seal(collection, name, bytes);
        await(store.keep(collection, name));
    }

    protected final byte[] read(long collection, String name, int length) {
        try (ContentStore.Source source = await(store.open(collection, name))) {
            ByteBuffer into = ByteBuffer.allocate(length);
            await(source.read(0, into));
            return into.array();
        }
    }

    protected final void assertHolds(long collection, String name, byte[] bytes) {
        assertThat(read(collection, name, bytes.length)).as("seed %d", seed).isEqualTo(bytes);
        assertEndsAt(collection, name, bytes.length);
    }

    private void assertEndsAt(long collection, String name, int length) {
        try (ContentStore.Source source = await(store.open(collection, name))) {
            assertThat(EngineContract.failureOf(source.read(length, ByteBuffer.allocate(1)))
                            .kind())
                    .isEqualTo(EngineException.Kind.CORRUPT);
        }
    }

    protected final void assertMissing(long collection, String name) {
        assertThat(EngineContract.failureOf(store.open(collection, name)).kind())
                .isEqualTo(EngineException.Kind.CORRUPT);
    }

    protected final List<String> names(long collection) {
        List<String> names = new ArrayList<>();
        await(store.names(collection, names::add));
        return names;
    }

    /** Has the store resolve all contents with this answer, and returns the names that it asked for. */
    protected final Map<String, byte[]> resolve(boolean held) {
        Map<String, byte[]> asked = new TreeMap<>();
        await(store.resolve((owner, collection, name) -> {
            asked.put(name, owner);
            return CompletableFuture.completedFuture(held);
        }));
        return asked;
    }

    @Test
    void what_is_written_is_read_in_any_order() {
        byte[] bytes = bytes(500_000 + random.nextInt(500_000));
        put(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            for (int i = 0; i < 50; i++) {
                int from = random.nextInt(bytes.length);
                int length = random.nextInt(bytes.length - from + 1);
                ByteBuffer into =
                        random.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
                await(source.read(from, into));
                assertThat(into.hasRemaining()).isFalse();
                assertThat(into.flip()).as("seed %d", seed).isEqualTo(ByteBuffer.wrap(bytes, from, length));
            }
        }
        assertHolds(COLLECTION, "c", bytes);
    }

    @Test
    void a_read_fills_what_is_left_of_the_buffer() {
        byte[] bytes = bytes(1000);
        put(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            ByteBuffer into = ByteBuffer.allocate(100).position(10).limit(60);
            await(source.read(300, into));
            assertThat(into.position()).isEqualTo(60);
            assertThat(into.position(10)).isEqualTo(ByteBuffer.wrap(bytes, 300, 50));
            assertThat(into.array()[9]).isZero();
            assertThat(into.array()[60]).isZero();
        }
    }

    @Test
    void a_read_past_the_end_fails() {
        put(COLLECTION, "c", bytes(10));
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            assertThat(EngineContract.failureOf(source.read(5, ByteBuffer.allocate(6)))
                            .kind())
                    .isEqualTo(EngineException.Kind.CORRUPT);
            assertThatThrownBy(() -> source.read(-1, ByteBuffer.allocate(1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void reads_of_one_content_may_be_made_at_the_same_time() {
        byte[] bytes = bytes(300_000);
        put(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            List<ByteBuffer> into = new ArrayList<>();
            List<CompletionStage<Void>> reads = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                into.add(ByteBuffer.allocate(10_000));
                reads.add(source.read(i * 10_000L, into.get(i)));
            }
            reads.forEach(ContentBytesContract::await);
            for (int i = 0; i < 30; i++) {
                assertThat(into.get(i).flip()).isEqualTo(ByteBuffer.wrap(bytes, i * 10_000, 10_000));
            }
        }
    }

    @Test
    void where_there_is_a_file_it_begins_with_the_content() throws Exception {
        byte[] bytes = bytes(1000);
        put(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            if (source.file().isPresent()) {
                ByteBuffer into = ByteBuffer.allocate(bytes.length);
                source.file().get().read(into, 0);
                assertThat(into.array()).isEqualTo(bytes);
            }
        }
    }

    @Test
    void a_content_may_be_empty() {
        put(COLLECTION, "c", new byte[0]);
        assertHolds(COLLECTION, "c", new byte[0]);
    }

    @Test
    void the_tap_sees_all_bytes_in_order_and_cannot_take_them_away() {
        byte[] bytes = bytes(300_000);
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        ContentStore.Sink sink = store.create(COLLECTION, "c", piece -> {
            byte[] taken = new byte[piece.remaining()];
            piece.get(taken);
            seen.writeBytes(taken);
        });
        write(sink, bytes);
        await(sink.seal(OWNER));
        assertThat(seen.toByteArray()).isEqualTo(bytes);
        assertHolds(COLLECTION, "c", bytes);
    }

    @Test
    void a_tap_that_fails_fails_the_write() {
        ContentStore.Sink sink = store.create(COLLECTION, "c", piece -> {
            throw new IllegalStateException("on purpose");
        });
        EngineContract.failureOf(sink.write(ByteBuffer.wrap(bytes(10))));
        EngineContract.failureOf(sink.seal(OWNER));
        assertMissing(COLLECTION, "c");
    }

    @Test
    void a_content_is_not_there_before_it_is_sealed() {
        ContentStore.Sink sink = sink("c");
        assertMissing(COLLECTION, "c");
        write(sink, bytes(1000));
        assertMissing(COLLECTION, "c");
        sink.abandon();
    }

    @Test
    void what_is_abandoned_leaves_nothing() throws Exception {
        ContentStore.Sink begun = sink("begun");
        begun.abandon();
        begun.abandon();
        ContentStore.Sink written = sink("written");
        write(written, bytes(100_000));
        written.abandon();
        ContentStore.Sink busy = sink("busy");
        CompletionStage<Void> write = busy.write(ByteBuffer.wrap(bytes(1_000_000)));
        busy.abandon();
        write.handle((nothing, failure) -> null).toCompletableFuture().join();
        EngineContract.failureOf(written.write(ByteBuffer.wrap(bytes(10))));
        EngineContract.failureOf(busy.seal(OWNER));
        reopen();
        assertThat(resolve(true)).isEmpty();
        for (String name : List.of("begun", "written", "busy")) {
            assertMissing(COLLECTION, name);
        }
        assertThat(names(COLLECTION)).isEmpty();
    }

    @Test
    void abandoning_what_is_sealed_has_no_effect() {
        byte[] bytes = bytes(100);
        ContentStore.Sink sink = sink("c");
        write(sink, bytes);
        await(sink.seal(OWNER));
        sink.abandon();
        await(store.keep(COLLECTION, "c"));
        assertHolds(COLLECTION, "c", bytes);
    }

    @Test
    void two_sinks_do_not_mix() {
        byte[] first = bytes(300_000);
        byte[] second = bytes(300_000);
        ContentStore.Sink a = sink("a");
        ContentStore.Sink b = sink("b");
        for (int at = 0; at < first.length; at += 100_000) {
            CompletionStage<Void> write = a.write(ByteBuffer.wrap(first, at, 100_000));
            await(b.write(ByteBuffer.wrap(second, at, 100_000)));
            await(write);
        }
        await(a.seal(OWNER));
        await(b.seal(OWNER));
        assertHolds(COLLECTION, "a", first);
        assertHolds(COLLECTION, "b", second);
    }

    @Test
    void a_sink_takes_the_next_call_as_soon_as_it_has_answered() {
        byte[] bytes = bytes(100);
        ContentStore.Sink sink = sink("c");
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (int i = 0; i < bytes.length; i++) {
            ByteBuffer piece = ByteBuffer.wrap(bytes, i, 1);
            all = all.thenCompose(done -> sink.write(piece));
        }
        await(all.thenCompose(done -> sink.seal(OWNER)));
        assertHolds(COLLECTION, "c", bytes);
    }
}
