package dev.trestle.blob;

import dev.trestle.async.KeyedSerialExecutor;
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
 * Reclaims contents that no blob refers to any more, in the background. If the process stops first, {@link Scrub}
 * reclaims them. Several manifests of one blob may share a content of the store: a block can be committed again,
 * and snapshots share their contents with the blob. So a content is deleted only if no manifest refers to it,
 * pinned ones included.
 */
final class Reclaimer {
    /** How long readers in other processes, whose pins are not known here, have to finish. */
    private static final Duration READERS_ELSEWHERE = Duration.ofMinutes(15);

    private final BlobRowStore rows;
    private final ContentStore store;
    private final ContentPins pins;
    private final boolean shared;
    private final Consumer<Throwable> failureListener;

    /** Serializes the tasks of a blob: none removes rows while another collects the references in them. */
    private final KeyedSerialExecutor<ContentPins.Content> tasks = new KeyedSerialExecutor<>();

    /** @param failureListener receives failures that no request can report */
    Reclaimer(
            BlobRowStore rows,
            ContentStore store,
            ContentPins pins,
            boolean shared,
            Consumer<Throwable> failureListener) {
        this.failureListener = failureListener;
        this.rows = rows;
        this.store = store;
        this.pins = pins;
        this.shared = shared;
    }

    /** Reclaims a content that a blob does not refer to any more, once it has no readers. */
    void release(long container, String name, Blob.ContentRef content) {
        if (content.parts() == 0) {
            return;
        }
        CompletionStage<Void> soon = shared ? Timer.after(READERS_ELSEWHERE) : CompletableFuture.completedFuture(null);
        soon.thenCompose(late -> remove(container, name, content.manifest()))
                .whenComplete((done, failure) -> report(failure));
    }

    private void report(@Nullable Throwable failure) {
        if (failure != null && !(StageFailures.cause(failure) instanceof ContainerGoneException)) {
            failureListener.accept(failure);
        }
    }

    /** Removes a content unless a version of the blob refers to it; returns whether it was removed. */
    CompletionStage<Boolean> remove(long container, String name, String manifest) {
        return rows.versions(container, name).thenCompose(versions -> {
            boolean referenced = versions.stream()
                    .anyMatch(version -> version.blob().content().manifest().equals(manifest));
            // Readers pin a content and then check that a blob refers to it, so this one gets no new readers.
            return referenced
                    ? CompletableFuture.completedFuture(false)
                    : pins.free(new ContentPins.Content(container, name, manifest))
                            .thenCompose(free -> removeUnreferenced(container, name, manifest))
                            .thenApply(done -> true);
        });
    }

    private CompletionStage<Void> removeUnreferenced(long container, String name, String manifest) {
        return tasks.submit(blocks(container, name), () -> removeInTurn(container, name, manifest));
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
        return tasks.submit(blocks(container, name), () -> removeStored(container, name, "", stored));
    }

    /** @param leaving see {@link #referenced} */
    private CompletionStage<Void> removeStored(long container, String name, String leaving, Set<String> stored) {
        if (stored.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        // A block list that is being committed may refer to blocks that were removed since it read them.
        return pins.free(blocks(container, name))
                .thenCompose(free -> referenced(container, name, leaving))
                .thenCompose(referenced -> {
                    stored.removeAll(referenced);
                    return CompletableFuture.allOf(stored.stream()
                            .map(content -> store.delete(container, content).toCompletableFuture())
                            .toArray(CompletableFuture[]::new));
                });
    }

    /**
     * Returns all contents of the store that a blob refers to: in any of its versions, in a pinned manifest, or in
     * an uncommitted block.
     *
     * @param leaving a manifest that no version has any more; readers that have pinned it will notice that
     */
    private CompletionStage<Set<String>> referenced(long container, String name, String leaving) {
        Set<String> referenced = new HashSet<>();
        // Blocks first: a concurrent commit moves a block from there to a version, so it is seen at least once.
        return rows.each(
                        BlobRowCodec.blocks(container, name),
                        (key, row) -> add(
                                referenced, BlobRowCodec.decodeBlock(key, row).part()))
                .thenCompose(blocks -> rows.versions(container, name))
                .thenCompose(versions -> {
                    CompletionStage<Void> all = CompletableFuture.completedFuture(null);
                    Set<String> manifests = new HashSet<>();
                    // Empty contents too: a block may have been appended since.
                    versions.forEach(
                            version -> manifests.add(version.blob().content().manifest()));
                    manifests.addAll(pins.manifests(container, name));
                    manifests.remove(leaving);
                    for (String manifest : manifests) {
                        all = all.thenCompose(before -> rows.each(
                                BlobRowCodec.parts(container, manifest, name, 0),
                                (key, row) -> add(referenced, BlobRowCodec.decodePart(row))));
                    }
                    return all;
                })
                .thenApply(all -> referenced);
    }

    private static void add(Set<String> referenced, Part part) {
        if (part.place() instanceof Part.Stored stored) {
            referenced.add(stored.name());
        }
    }

    /**
     * Removes the uncommitted blocks that were put up to a time, and their contents.
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

    /** Keeps the contents of all blocks of a blob while a block list is committed. */
    ContentPins.Pin pinBlocks(long container, String name) {
        return pins.pin(blocks(container, name));
    }

    /** The pin of the uncommitted blocks, under an empty manifest, which no content has. */
    private static ContentPins.Content blocks(long container, String name) {
        return new ContentPins.Content(container, name, "");
    }

    /** Reclaims the contents of removed blocks once no process can be committing them. */
    private void releaseStored(long container, String name, Set<String> stored) {
        CompletionStage<Void> soon = shared ? Timer.after(READERS_ELSEWHERE) : CompletableFuture.completedFuture(null);
        soon.thenCompose(late -> removeStored(container, name, stored))
                .whenComplete((done, failure) -> report(failure));
    }

    /** Removes rows one by one, so that a block that was put again stays and does not stop the others. */
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

    /** Reclaims the content of a block that was put again, unless the blob refers to it. */
    void releaseBlock(long container, String name, Part block) {
        if (block.place() instanceof Part.Stored stored) {
            releaseStored(container, name, new HashSet<>(Set.of(stored.name())));
        }
    }

    /** Like {@link #removeBlocks}, in the background. */
    void releaseBlocks(long container, String name, long upTo) {
        removeBlocks(container, name, upTo).whenComplete((done, failure) -> report(failure));
    }

    /** Returns whether the owner of a content of the store refers to it. */
    CompletionStage<Boolean> isReferenced(byte[] owner, long container, String content) {
        Key key = Key.ofBytes(owner);
        String name = BlobRowCodec.name(key);
        return tasks.submit(blocks(container, name), () -> referenced(container, name, ""))
                .thenApply(referenced -> referenced.contains(content));
    }
}
