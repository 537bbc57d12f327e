package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of content stores: the life of a content from its creation to its removal. The test of a store
 * extends it and opens the store.
 */
public abstract class ContentStoreContract extends ContentBytesContract {
    @Test
    void what_is_sealed_can_be_read_before_it_is_kept_and_is_no_name_until_then() {
        byte[] bytes = bytes(1000);
        seal(COLLECTION, "c", bytes);
        assertHolds(COLLECTION, "c", bytes);
        assertThat(names(COLLECTION)).isEmpty();
        await(store.keep(COLLECTION, "c"));
        assertHolds(COLLECTION, "c", bytes);
        assertThat(names(COLLECTION)).containsExactly("c");
    }

    @Test
    void a_source_opened_before_its_content_is_kept_goes_on() {
        byte[] bytes = bytes(1000);
        seal(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            await(store.keep(COLLECTION, "c"));
            ByteBuffer into = ByteBuffer.allocate(bytes.length);
            await(source.read(0, into));
            assertThat(into.array()).isEqualTo(bytes);
        }
    }

    @Test
    void keeping_twice_is_keeping_once_and_what_is_not_there_cannot_be_kept() {
        put(COLLECTION, "c", bytes(10));
        await(store.keep(COLLECTION, "c"));
        assertThat(EngineContract.failureOf(store.keep(COLLECTION, "d")).kind())
                .isEqualTo(EngineException.Kind.CORRUPT);
    }

    @Test
    void kept_contents_are_there_when_the_store_is_opened_again() throws Exception {
        byte[] bytes = bytes(100_000);
        put(COLLECTION, "c", bytes);
        reopen();
        assertThat(resolve(false)).isEmpty();
        assertHolds(COLLECTION, "c", bytes);
        assertThat(names(COLLECTION)).containsExactly("c");
    }

    @Test
    void what_was_sealed_is_kept_if_its_owner_refers_to_it() throws Exception {
        byte[] bytes = bytes(100_000);
        seal(COLLECTION, "c", bytes);
        reopen();
        assertHolds(COLLECTION, "c", bytes);
        Map<String, byte[]> asked = resolve(true);
        assertThat(asked).containsOnlyKeys("c");
        assertThat(asked.get("c")).isEqualTo(OWNER);
        assertHolds(COLLECTION, "c", bytes);
        assertThat(names(COLLECTION)).containsExactly("c");
        assertThat(resolve(false)).as("settled").isEmpty();
    }

    @Test
    void what_was_sealed_is_deleted_if_its_owner_does_not_refer_to_it() throws Exception {
        seal(COLLECTION, "c", bytes(100_000));
        reopen();
        assertThat(resolve(false)).containsOnlyKeys("c");
        assertMissing(COLLECTION, "c");
        assertThat(resolve(true)).as("settled").isEmpty();
        assertThat(names(COLLECTION)).isEmpty();
    }

    @Test
    void what_cannot_be_asked_for_stays_until_it_can() throws Exception {
        byte[] bytes = bytes(1000);
        seal(COLLECTION, "c", bytes);
        reopen();
        EngineException trouble = new EngineException(EngineException.Kind.OVERLOADED, "not now");
        assertThat(EngineContract.failureOf(
                        store.resolve((owner, collection, name) -> CompletableFuture.failedFuture(trouble))))
                .isSameAs(trouble);
        assertHolds(COLLECTION, "c", bytes);
        assertThat(resolve(true)).containsOnlyKeys("c");
        assertHolds(COLLECTION, "c", bytes);
    }

    @Test
    void what_this_process_itself_has_under_way_is_not_settled() throws Exception {
        byte[] bytes = bytes(1000);
        ContentStore.Sink writing = sink("writing");
        write(writing, bytes);
        seal(COLLECTION, "sealed", bytes);
        await(store.copy(COLLECTION, "sealed", COLLECTION, "copied", OWNER));
        grow();
        assertThat(resolve(false)).isEmpty();
        await(writing.seal(OWNER));
        for (String name : List.of("writing", "sealed", "copied")) {
            await(store.keep(COLLECTION, name));
            assertHolds(COLLECTION, name, bytes);
        }
    }

    @Test
    void a_copy_equals_the_original_and_outlives_it() throws Exception {
        byte[] bytes = bytes(1_000_000);
        byte[] owner = "the copy's".getBytes(StandardCharsets.UTF_8);
        put(COLLECTION, "kept", bytes);
        await(store.copy(COLLECTION, "kept", OTHER, "a", owner));
        assertHolds(OTHER, "a", bytes);
        await(store.keep(OTHER, "a"));
        await(store.delete(COLLECTION, "kept"));
        assertMissing(COLLECTION, "kept");
        assertHolds(OTHER, "a", bytes);
        seal(COLLECTION, "sealed", bytes);
        await(store.copy(COLLECTION, "sealed", COLLECTION, "b", owner));
        await(store.delete(COLLECTION, "sealed"));
        reopen();
        Map<String, byte[]> asked = resolve(true);
        assertThat(asked).containsOnlyKeys("b");
        assertThat(asked.get("b")).isEqualTo(owner);
        assertHolds(COLLECTION, "b", bytes);
        assertHolds(OTHER, "a", bytes);
    }

    @Test
    void a_copy_that_nobody_refers_to_goes_alone() throws Exception {
        byte[] bytes = bytes(1000);
        put(COLLECTION, "c", bytes);
        await(store.copy(COLLECTION, "c", COLLECTION, "d", OWNER));
        reopen();
        assertThat(resolve(false)).containsOnlyKeys("d");
        assertMissing(COLLECTION, "d");
        assertHolds(COLLECTION, "c", bytes);
    }

    @Test
    void an_empty_content_can_be_copied() {
        put(COLLECTION, "c", new byte[0]);
        await(store.copy(COLLECTION, "c", COLLECTION, "d", OWNER));
        await(store.keep(COLLECTION, "d"));
        assertHolds(COLLECTION, "d", new byte[0]);
    }

    @Test
    void what_is_not_there_cannot_be_copied() throws Exception {
        assertThat(EngineContract.failureOf(store.copy(COLLECTION, "c", COLLECTION, "d", OWNER))
                        .kind())
                .isEqualTo(EngineException.Kind.CORRUPT);
        reopen();
        assertThat(resolve(true)).isEmpty();
        assertMissing(COLLECTION, "d");
    }

    @Test
    void a_deleted_content_is_gone_kept_or_not() throws Exception {
        put(COLLECTION, "kept", bytes(10));
        seal(COLLECTION, "sealed", bytes(10));
        await(store.delete(COLLECTION, "kept"));
        await(store.delete(COLLECTION, "sealed"));
        await(store.delete(COLLECTION, "never"));
        assertMissing(COLLECTION, "kept");
        assertMissing(COLLECTION, "sealed");
        reopen();
        assertThat(resolve(true)).isEmpty();
        assertThat(names(COLLECTION)).isEmpty();
    }

    @Test
    void a_content_deleted_while_it_is_kept_is_gone() {
        int count = many() / 2;
        for (int i = 0; i < count; i++) {
            seal(COLLECTION, "c" + i, bytes(10));
        }
        List<CompletableFuture<?>> both = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CompletionStage<Void> kept = store.keep(COLLECTION, "c" + i);
            CompletionStage<Void> deleted = store.delete(COLLECTION, "c" + i);
            // Keeping it afterwards fails.
            both.add(kept.exceptionally(missing -> null).toCompletableFuture());
            both.add(deleted.toCompletableFuture());
        }
        await(CompletableFuture.allOf(both.toArray(CompletableFuture[]::new)));
        assertThat(names(COLLECTION)).isEmpty();
    }

    @Test
    void a_content_deleted_while_it_is_read_can_be_read_to_its_end_where_the_store_can() {
        byte[] bytes = bytes(500_000);
        put(COLLECTION, "c", bytes);
        try (ContentStore.Source source = await(store.open(COLLECTION, "c"))) {
            await(store.delete(COLLECTION, "c"));
            if (readsDeleted()) {
                ByteBuffer into = ByteBuffer.allocate(bytes.length);
                await(source.read(0, into));
                assertThat(into.array()).isEqualTo(bytes);
            }
        }
    }

    @Test
    void a_drop_takes_all_contents_of_its_collection_and_no_other() throws Exception {
        byte[] bytes = bytes(1000);
        int count = many() / 10;
        for (int i = 0; i < count; i++) {
            put(COLLECTION, "c" + i, bytes);
            put(OTHER, "c" + i, bytes);
        }
        seal(COLLECTION, "sealed", bytes);
        seal(OTHER, "sealed", bytes);
        ContentStore.Sink writing = sink("writing");
        write(writing, bytes);
        await(store.drop(COLLECTION));
        assertThat(names(COLLECTION)).isEmpty();
        assertMissing(COLLECTION, "c0");
        assertMissing(COLLECTION, "sealed");
        assertThat(names(OTHER)).hasSize(count);
        assertHolds(OTHER, "c0", bytes);
        assertHolds(OTHER, "sealed", bytes);
        await(writing.seal(OWNER));
        await(store.keep(COLLECTION, "writing"));
        await(store.keep(COLLECTION, "sealed"));
        assertThat(names(COLLECTION)).as("kept too late").isEmpty();
        await(store.drop(COLLECTION));
        reopen();
        assertThat(names(COLLECTION)).isEmpty();
        assertThat(resolve(true)).containsOnlyKeys("sealed");
        assertThat(names(OTHER)).hasSize(count + 1);
    }

    @Test
    void a_collection_that_never_had_contents_has_no_names_and_can_be_dropped() {
        assertThat(names(COLLECTION)).isEmpty();
        await(store.drop(COLLECTION));
    }

    @Test
    void every_kept_name_is_shown_once() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < many() / 4; i++) {
            String name = Long.toHexString(random.nextLong()) + "-" + i;
            all.add(name);
            put(COLLECTION, name, new byte[0]);
        }
        assertThat(names(COLLECTION)).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void many_contents_at_once_share_few_threads() {
        int count = many();
        byte[] bytes = bytes(50_000);
        Map<Thread, Boolean> threads = new ConcurrentHashMap<>();
        List<CompletionStage<Void>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "c" + i;
            ContentStore.Sink sink = store.create(COLLECTION, name, piece -> threads.put(Thread.currentThread(), true));
            int cut = random.nextInt(bytes.length);
            all.add(sink.write(ByteBuffer.wrap(bytes, 0, cut))
                    .thenCompose(done -> sink.write(ByteBuffer.wrap(bytes, cut, bytes.length - cut)))
                    .thenCompose(done -> sink.seal(OWNER))
                    .thenCompose(done -> store.keep(COLLECTION, name)));
        }
        all.forEach(ContentStoreContract::await);
        assertThat(threads)
                .hasSizeLessThanOrEqualTo(Math.max(4, Runtime.getRuntime().availableProcessors()));
        // A store that never waits may do with the thread it is called on.
        assertThat(threads.keySet()).allMatch(thread -> thread.isDaemon() || thread.equals(Thread.currentThread()));
        assertThat(names(COLLECTION)).hasSize(count);
        assertHolds(COLLECTION, "c" + random.nextInt(count), bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "..", "../c", "a/b", "a\\b", "/c", "C", "a.owner", "a.part", "a\n", "a%2fb", "a\0", "\u00E9"
            })
    void a_name_that_could_lead_elsewhere_is_a_bad_argument(String name) {
        assertRefused(name);
    }

    @Test
    void a_name_that_is_too_long_is_a_bad_argument() {
        put(COLLECTION, "c".repeat(64), new byte[0]);
        assertRefused("c".repeat(65));
    }

    private void assertRefused(String name) {
        List<Runnable> calls = List.of(
                () -> store.create(COLLECTION, name, piece -> {}),
                () -> store.keep(COLLECTION, name),
                () -> store.open(COLLECTION, name),
                () -> store.copy(COLLECTION, name, COLLECTION, "c", OWNER),
                () -> store.copy(COLLECTION, "c", COLLECTION, name, OWNER),
                () -> store.delete(COLLECTION, name));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_closed_store_is_unavailable() {
        ContentStore.Sink sink = sink("c");
        write(sink, bytes(10));
        store.close();
        store.close();
        assertThat(EngineContract.failureOf(store.open(COLLECTION, "c")).kind())
                .isEqualTo(EngineException.Kind.UNAVAILABLE);
        EngineContract.failureOf(sink.seal(OWNER));
        sink.abandon();
    }
}
