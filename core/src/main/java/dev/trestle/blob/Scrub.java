package dev.trestle.blob;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Collection;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.Moments;
import dev.trestle.model.Ticks;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Looks at all that is stored of an account's blobs: reads every content and compares it with its checksum, and removes
 * what no blob holds, which only a stop at a bad moment leaves behind. Can be done while the service is used.
 */
public final class Scrub {
    private static final int PIECE_BYTES = 256 * 1024;
    private static final int CONTAINERS_AT_ONCE = 1000;

    /** What is younger may belong to a request that is under way, here or in another process. */
    private static final long YOUNG = Ticks.PER_DAY;

    /** Blocks that nobody commits are discarded after a week. */
    private static final long BLOCK_LIFE = 7 * Ticks.PER_DAY;

    private final Catalogue catalogue;
    private final BlobStore rows;
    private final ContentStore store;
    private final Reclaimer reclaimer;
    private final Moments moments;
    private final long began;
    private final boolean shared;

    Scrub(
            Catalogue catalogue,
            BlobStore rows,
            ContentStore store,
            Reclaimer reclaimer,
            Moments moments,
            boolean shared) {
        this.catalogue = catalogue;
        this.rows = rows;
        this.store = store;
        this.reclaimer = reclaimer;
        this.moments = moments;
        this.shared = shared;
        this.began = moments.next();
    }

    /** Told what is found, on whatever thread finds it, one thing after the other. */
    public interface Findings {
        /** A content was read and is what was written. */
        void sound(long bytes);

        /** A content cannot be read, or is not what was written. */
        void damaged(String container, String blob, String what);

        /** Something that no blob held was removed. */
        void removed(String container, String what);
    }

    /**
     * Looks at everything an account has.
     *
     * @param verify whether contents are read, or only what nobody holds is removed
     */
    public CompletionStage<Void> scrub(String account, boolean verify, Findings findings) {
        return containers(account, "", verify, findings);
    }

    private CompletionStage<Void> containers(String account, String from, boolean verify, Findings findings) {
        return catalogue.list(account, "", CONTAINERS_AT_ONCE, from).thenCompose(page -> {
            CompletionStage<Void> done = CompletableFuture.completedFuture(null);
            for (Collection container : page.collections()) {
                done = done.thenCompose(
                                before -> new OfContainer(container.id(), container.name(), findings).scrub(verify))
                        .exceptionallyCompose(Scrub::unlessGone);
            }
            return page.next().isEmpty()
                    ? done
                    : done.thenCompose(before -> containers(account, page.next().get(), verify, findings));
        });
    }

    private static CompletionStage<Void> unlessGone(Throwable failure) {
        return BlobVersions.cause(failure) instanceof ContainerGoneException
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(failure);
    }

    /** One container; one step after the other. */
    private final class OfContainer {
        private final long container;
        private final String title;
        private final Findings findings;
        private final Set<String> held = ConcurrentHashMap.newKeySet();

        OfContainer(long container, String title, Findings findings) {
            this.container = container;
            this.title = title;
            this.findings = findings;
        }

        CompletionStage<Void> scrub(boolean verify) {
            // Blocks before contents: what is committed in between is then seen once at least.
            return eachPartition(
                            BlobRows.blockNames(container, "", Optional.empty()), key -> blocks(BlobRows.name(key)))
                    .thenCompose(done -> eachPartition(
                            BlobRows.manifests(container), key -> manifest(BlobRows.Manifest.of(key), verify)))
                    .thenCompose(done -> strays());
        }

        /** Does something for each partition of a range, by the first of its keys. */
        private CompletionStage<Void> eachPartition(KeyRange range, Function<Key, CompletionStage<Void>> work) {
            return Repeat.from(
                    range,
                    rest -> rows.page(rest, Filter.ALL, 1).thenCompose(page -> {
                        if (page.size() == 0) {
                            return CompletableFuture.completedFuture(Optional.empty());
                        }
                        Key first = page.key(0);
                        KeyRange next = rest.startingAt(Key.afterPartition(container, first.partitionKey()));
                        return work.apply(first)
                                .thenApply(done -> next.isEmpty() ? Optional.empty() : Optional.of(next));
                    }));
        }

        /** A content: its parts verified if a blob holds it, and removed if none does. */
        private CompletionStage<Void> manifest(BlobRows.Manifest manifest, boolean verify) {
            CompletionStage<Boolean> gone = isYoung(manifest.id())
                    ? CompletableFuture.completedFuture(false)
                    : reclaimer.remove(container, manifest.name(), manifest.id());
            return gone.thenCompose(removed -> {
                if (removed) {
                    findings.removed(title, "a content that the blob " + manifest.name() + " does not hold");
                    return CompletableFuture.completedFuture(null);
                }
                return parts(manifest, verify);
            });
        }

        private CompletionStage<Void> parts(BlobRows.Manifest manifest, boolean verify) {
            KeyRange range = BlobRows.parts(container, manifest.id(), manifest.name(), 0);
            return Repeat.from(
                    range,
                    rest -> rows.page(rest, Filter.ALL, 1).thenCompose(page -> {
                        if (page.size() == 0) {
                            return CompletableFuture.completedFuture(Optional.empty());
                        }
                        Part part = BlobRows.decodePart(page.row(0));
                        if (part.place() instanceof Part.Stored stored) {
                            held.add(stored.name());
                        }
                        CompletionStage<Void> checked =
                                verify ? verify(manifest, part) : CompletableFuture.completedFuture(null);
                        return checked.thenApply(done -> page.resume().map(key -> rest.startingAt(key.bytes())));
                    }));
        }

        private CompletionStage<Void> verify(BlobRows.Manifest manifest, Part part) {
            return checksum(part)
                    .thenApply(crc -> crc == part.crc64()
                            ? Optional.<String>empty()
                            : Optional.of("the checksum of " + part.length() + " bytes differs"))
                    .exceptionallyCompose(failure -> BlobVersions.cause(failure) instanceof EngineException trouble
                            ? CompletableFuture.completedFuture(Optional.of(String.valueOf(trouble.getMessage())))
                            : CompletableFuture.failedFuture(failure))
                    .thenCompose(damage -> tell(manifest, part, damage));
        }

        private CompletionStage<Long> checksum(Part part) {
            Crc64 crc = new Crc64();
            if (part.place() instanceof Part.Inline inline) {
                crc.update(inline.bytes(), 0, inline.bytes().length);
                return CompletableFuture.completedFuture(crc.value());
            } else if (part.place() instanceof Part.Stored stored) {
                return store.open(container, stored.name())
                        .thenCompose(source ->
                                read(source, part.length(), crc).whenComplete((done, failure) -> source.close()))
                        .thenApply(done -> crc.value());
            }
            throw new AssertionError(part);
        }

        private CompletionStage<Void> tell(BlobRows.Manifest manifest, Part part, Optional<String> damage) {
            if (damage.isEmpty()) {
                findings.sound(part.length());
                return CompletableFuture.completedFuture(null);
            }
            // What was let go of meanwhile is being removed, and nobody misses it.
            return rows.versions(container, manifest.name()).thenAccept(versions -> {
                if (versions.stream()
                        .anyMatch(version -> version.blob().content().manifest().equals(manifest.id()))) {
                    findings.damaged(title, manifest.name(), damage.get());
                }
            });
        }

        private CompletionStage<Void> read(ContentStore.Source source, long end, Crc64 crc) {
            return Repeat.from(0L, from -> {
                ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, end - from));
                return source.read(from, piece).thenApply(done -> {
                    piece.flip();
                    long next = from + piece.remaining();
                    crc.update(piece);
                    return next < end ? Optional.of(next) : Optional.empty();
                });
            });
        }

        /** Removes blocks that a commit has made void, or that nobody committed in time. */
        private CompletionStage<Void> blocks(String name) {
            return rows.read(container, name, OptionalLong.empty())
                    .thenCompose(blob -> {
                        long committed =
                                blob.map(version -> version.blob().committed()).orElse(0L);
                        return reclaimer.removeBlocks(
                                container, name, Math.max(committed, moments.next() - BLOCK_LIFE));
                    })
                    .thenCompose(removed -> rows.each(BlobRows.blocks(container, name), (key, row) -> {
                        if (BlobRows.decodeBlock(key, row).part().place() instanceof Part.Stored stored) {
                            held.add(stored.name());
                        }
                    }));
        }

        /** What the store has and no row speaks of. */
        private CompletionStage<Void> strays() {
            Set<String> strays = new HashSet<>();
            return store.names(container, name -> {
                        if (!held.contains(name) && !isYoung(name)) {
                            strays.add(name);
                        }
                    })
                    .thenCompose(all -> CompletableFuture.allOf(strays.stream()
                            .map(name -> store.delete(container, name)
                                    .thenAccept(done -> findings.removed(title, "content " + name))
                                    .toCompletableFuture())
                            .toArray(CompletableFuture[]::new)));
        }

        /** Whether something was begun too lately to be sure that nobody is still at it. Names begin with their time. */
        private boolean isYoung(String name) {
            long time = HexFormat.fromHexDigitsToLong(name, 0, 2 * Long.BYTES);
            return shared ? time > moments.next() - YOUNG : time >= began;
        }
    }
}
