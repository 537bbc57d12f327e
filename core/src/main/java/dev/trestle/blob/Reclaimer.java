package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes what no blob holds any more, behind the back of requests. What a stop keeps it from removing is found by
 * {@link Scrub}. A content of the store may be held by several manifests of one blob, for blocks are committed again and
 * snapshots share what they were taken of; so it is removed only when none of them has it, and none that is being read.
 */
final class Reclaimer {
    /** How long readers in other processes, which cannot be asked, have to come to an end. */
    private static final Duration READERS_ELSEWHERE = Duration.ofMinutes(15);

    private final BlobRowStore rows;
    private final ContentStore store;
    private final ContentPins pins;
    private final boolean shared;
    private final Consumer<Throwable> trouble;

    /** By blob: while one asks what a blob holds, no other takes away the rows that would tell. */
    private final KeyedSerialExecutor<ContentPins.Content> turns = new KeyedSerialExecutor<>();

    /** @param trouble told what went wrong where no request could be told */
    Reclaimer(BlobRowStore rows, ContentStore store, ContentPins pins, boolean shared, Consumer<Throwable> trouble) {
        this.trouble = trouble;
        this.rows = rows;
        this.store = store;
        this.pins = pins;
        this.shared = shared;
    }

    /** A blob has let go of this content; it goes once nobody reads it. */
    void release(long container, String name, Blob.ContentRef content) {
        if (content.parts() == 0) {
            return;
        }
        CompletionStage<Void> soon = shared ? Timer.after(READERS_ELSEWHERE) : CompletableFuture.completedFuture(null);
        soon.thenCompose(late -> remove(container, name, content.manifest()))
                .whenComplete((done, failure) -> tell(failure));
    }

    private void tell(@Nullable Throwable failure) {
        if (failure != null && !(StageFailures.cause(failure) instanceof ContainerGoneException)) {
            trouble.accept(failure);
        }
    }

    /** Removes a content unless some version of the blob holds it; true if it is gone. */
    CompletionStage<Boolean> remove(long container, String name, String manifest) {
        return rows.versions(container, name).thenCompose(versions -> {
            boolean held = versions.stream()
                    .anyMatch(version -> version.blob().content().manifest().equals(manifest));
            // Readers pin a content and then see whether it is still held, so nobody begins to read this one any more.
            return held
                    ? CompletableFuture.completedFuture(false)
                    : pins.free(new ContentPins.Content(container, name, manifest))
                            .thenCompose(free -> removeUnheld(container, name, manifest))
                            .thenApply(done -> true);
        });
    }

    private CompletionStage<Void> removeUnheld(long container, String name, String manifest) {
        return turns.take(blocks(container, name), () -> removeInTurn(container, name, manifest));
    }

    private CompletionStage<Void> removeInTurn(long container, String name, String manifest) {
        List<Write> deletions = new ArrayList<>();
        Set<String> stored = new HashSet<>();
        return rows.each(BlobRowCodec.manifest(container, manifest, name), (key, row) -> {
                    deletions.add(new Write.Delete(key, Precondition.NONE));
                    if (!BlobRowCodec.isTail(key)
                            && BlobRowCodec.decodePart(row).place() instanceof Part.Stored part) {
                        stored.add(part.name());
                    }
                })
                .thenCompose(all -> removeStored(container, name, manifest, stored))
                .thenCompose(
                        removed -> rows.commitAll(container, BlobRowCodec.partsPartition(manifest, name), deletions));
    }

    private CompletionStage<Void> removeStored(long container, String name, Set<String> stored) {
        return turns.take(blocks(container, name), () -> removeStored(container, name, "", stored));
    }

    /** @param leaving as {@link #held} takes it */
    private CompletionStage<Void> removeStored(long container, String name, String leaving, Set<String> stored) {
        if (stored.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        // Whoever commits blocks now has seen some that are no more, and will hold them when it is done.
        return pins.free(blocks(container, name))
                .thenCompose(free -> held(container, name, leaving))
                .thenCompose(held -> {
                    stored.removeAll(held);
                    return CompletableFuture.allOf(stored.stream()
                            .map(content -> store.delete(container, content).toCompletableFuture())
                            .toArray(CompletableFuture[]::new));
                });
    }

    /**
     * All contents of the store that a blob holds: in any of its versions, in one that is still being read, or in blocks
     * that are not committed.
     *
     * @param leaving a manifest that no version has any more: who has pinned it will see that and not read it
     */
    private CompletionStage<Set<String>> held(long container, String name, String leaving) {
        Set<String> held = new HashSet<>();
        // Blocks first: what is committed meanwhile goes from them to a version, and is seen here or there.
        return rows.each(
                        BlobRowCodec.blocks(container, name),
                        (key, row) ->
                                add(held, BlobRowCodec.decodeBlock(key, row).part()))
                .thenCompose(blocks -> rows.versions(container, name))
                .thenCompose(versions -> {
                    CompletionStage<Void> all = CompletableFuture.completedFuture(null);
                    Set<String> manifests = new HashSet<>();
                    // Also of contents that look empty: to one that grows, a block may have been appended just now.
                    versions.forEach(
                            version -> manifests.add(version.blob().content().manifest()));
                    manifests.addAll(pins.manifests(container, name));
                    manifests.remove(leaving);
                    for (String manifest : manifests) {
                        all = all.thenCompose(before -> rows.each(
                                BlobRowCodec.parts(container, manifest, name, 0),
                                (key, row) -> add(held, BlobRowCodec.decodePart(row))));
                    }
                    return all;
                })
                .thenApply(all -> held);
    }

    private static void add(Set<String> held, Part part) {
        if (part.place() instanceof Part.Stored stored) {
            held.add(stored.name());
        }
    }

    /**
     * Removes the blocks that were put up to a moment, and what only they hold.
     *
     * @param upTo in ticks
     */
    CompletionStage<Void> removeBlocks(long container, String name, long upTo) {
        List<Write> deletions = new ArrayList<>();
        Set<String> stored = new HashSet<>();
        return rows.each(BlobRowCodec.blocks(container, name), (key, row) -> {
                    BlobRowCodec.PutBlock block = BlobRowCodec.decodeBlock(key, row);
                    if (block.put() <= upTo) {
                        deletions.add(new Write.Delete(key, Precondition.versionEquals(Rows.version(row))));
                        add(stored, block.part());
                    }
                })
                .thenCompose(all -> removeEach(container, name, deletions))
                .thenCompose(removed -> {
                    if (!shared) {
                        return removeStored(container, name, stored);
                    }
                    releaseStored(container, name, stored);
                    return CompletableFuture.completedFuture(null);
                });
    }

    /** Until it is closed, no block of the blob loses what it holds: somebody is about to make a blob of blocks. */
    ContentPins.Pin pinBlocks(long container, String name) {
        return pins.pin(blocks(container, name));
    }

    /** The blocks that wait to be committed; no manifest is empty. */
    private static ContentPins.Content blocks(long container, String name) {
        return new ContentPins.Content(container, name, "");
    }

    /** What blocks held goes once nobody can be committing them, here or elsewhere. */
    private void releaseStored(long container, String name, Set<String> stored) {
        CompletionStage<Void> soon = shared ? Timer.after(READERS_ELSEWHERE) : CompletableFuture.completedFuture(null);
        soon.thenCompose(late -> removeStored(container, name, stored)).whenComplete((done, failure) -> tell(failure));
    }

    /** One by one: a block that was put again meanwhile stays, and the others go all the same. */
    private CompletionStage<Void> removeEach(long container, String name, List<Write> deletions) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (Write deletion : deletions) {
            done = done.thenCompose(
                    before -> rows.commit(container, BlobRowCodec.blocksPartition(name), List.of(deletion))
                            .thenAccept(removed -> {}));
        }
        return done;
    }

    CompletionStage<Boolean> hasBlocks(long container, String name) {
        return rows.first(BlobRowCodec.blocks(container, name)).thenApply(Optional::isPresent);
    }

    /** A block was put again under its id; what it held before goes, unless the blob has come to hold it. */
    void releaseBlock(long container, String name, Part block) {
        if (block.place() instanceof Part.Stored stored) {
            releaseStored(container, name, new HashSet<>(Set.of(stored.name())));
        }
    }

    /** Like {@link #removeBlocks}, for nobody to wait for. */
    void releaseBlocks(long container, String name, long upTo) {
        removeBlocks(container, name, upTo).whenComplete((done, failure) -> tell(failure));
    }

    /** Whether the blob that owns a content of the store holds it. */
    CompletionStage<Boolean> isHeld(byte[] owner, long container, String content) {
        Key key = Key.ofBytes(owner);
        String name = BlobRowCodec.name(key);
        return turns.take(blocks(container, name), () -> held(container, name, ""))
                .thenApply(held -> held.contains(content));
    }
}
