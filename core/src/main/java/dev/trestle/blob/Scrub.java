package dev.trestle.blob;

import dev.trestle.blob.BlobRowStore.First;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Ticks;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Looks at all that is stored of an account's blobs: reads every content and compares it with its checksum, and removes
 * what no blob holds, which only a stop at a bad moment leaves behind. Can be done while the service is used.
 *
 * <p>It works on a thread of its own and waits for one thing after the other: there is no hurry, and stages that follow
 * from each other for millions of blobs would all have to be kept.
 */
public final class Scrub {
    private static final int PIECE_BYTES = 256 * 1024;
    private static final int CONTAINERS_AT_ONCE = 1000;

    /** What is younger may belong to a request that is under way, here or in another process. */
    private static final long YOUNG = Ticks.PER_DAY;

    /** Blocks that nobody commits are discarded after a week. */
    private static final long BLOCK_LIFE = 7 * Ticks.PER_DAY;

    private final Catalogue catalogue;
    private final BlobRowStore rows;
    private final ContentStore store;
    private final Reclaimer reclaimer;
    private final UnreferencedContents unheldContents;
    private final MonotonicTicks moments;
    private final long began;
    private final boolean shared;

    Scrub(
            Catalogue catalogue,
            BlobRowStore rows,
            ContentStore store,
            Reclaimer reclaimer,
            UnreferencedContents unheldContents,
            MonotonicTicks moments,
            boolean shared) {
        this.catalogue = catalogue;
        this.rows = rows;
        this.store = store;
        this.reclaimer = reclaimer;
        this.unheldContents = unheldContents;
        this.moments = moments;
        this.shared = shared;
        this.began = moments.next();
    }

    /** Told what is found, on one thread, one thing after the other. What it throws ends the scrub. */
    public interface Findings {
        /** Some bytes of a content were read. */
        default void read(long bytes) {}

        /** A content was read and is what was written. */
        void sound(long bytes);

        /** A content cannot be read, or is not what was written. */
        void damaged(String container, String blob, String what);

        /** Something that no blob held was removed. */
        void removed(String container, String what);
    }

    /** All accounts that have containers, or had them. */
    public CompletionStage<List<String>> accounts() {
        return catalogue.accounts();
    }

    /**
     * Looks at everything an account has.
     *
     * @param verify whether contents are read, or only what nobody holds is removed
     */
    public CompletionStage<Void> scrub(String account, boolean verify, Findings findings) {
        return CompletableFuture.runAsync(() -> containers(account, verify, findings), Scrub::start);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "scrub");
        thread.setDaemon(true);
        thread.start();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private void containers(String account, boolean verify, Findings findings) {
        await(unheldContents.settle());
        for (Optional<String> from = Optional.of(""); from.isPresent(); ) {
            Catalogue.CollectionPage page = await(catalogue.list(account, "", CONTAINERS_AT_ONCE, from.get()));
            for (CatalogueEntry container : page.collections()) {
                try {
                    new OfContainer(container.id(), container.name(), findings).scrub(verify);
                } catch (CompletionException | ContainerGoneException e) {
                    if (!(StageFailures.cause(e) instanceof ContainerGoneException)) {
                        throw e;
                    }
                }
            }
            from = page.next();
        }
    }

    /** One container. */
    private final class OfContainer {
        private final long container;
        private final String title;
        private final Findings findings;
        private final Set<String> held = new HashSet<>();

        OfContainer(long container, String title, Findings findings) {
            this.container = container;
            this.title = title;
            this.findings = findings;
        }

        /** Blocks before contents: one that is committed meanwhile would else be in neither when it is looked for. */
        void scrub(boolean verify) {
            blocks();
            manifests(verify);
            strays();
        }

        /** Blocks that a commit has made void, or that nobody committed in time, go; the others hold what they have. */
        private void blocks() {
            KeyRange rest = BlobRowCodec.blockNames(container, "", Optional.empty());
            for (Optional<First> next = first(rest); next.isPresent(); next = first(rest)) {
                String name = BlobRowCodec.name(next.get().key());
                rest = rest.startingAt(Key.afterPartition(container, BlobRowCodec.blocksPartition(name)));
                long committed = await(rows.read(container, name, OptionalLong.empty()))
                        .map(version -> version.blob().committed())
                        .orElse(0L);
                await(reclaimer.removeBlocks(container, name, Math.max(committed, moments.next() - BLOCK_LIFE)));
                await(rows.each(
                        BlobRowCodec.blocks(container, name),
                        (key, row) -> hold(BlobRowCodec.decodeBlock(key, row).part())));
            }
        }

        /**
         * Each content in turn: its parts verified if a blob holds it, and removed if none does. They lie in the order of
         * their times, so that one which is made of another comes later than that.
         */
        private void manifests(boolean verify) {
            KeyRange rest = BlobRowCodec.manifests(container);
            for (Optional<First> next = first(rest); next.isPresent(); next = first(rest)) {
                BlobRowCodec.Manifest manifest =
                        BlobRowCodec.Manifest.of(next.get().key());
                rest = rest.startingAt(
                        Key.afterPartition(container, BlobRowCodec.partsPartition(manifest.id(), manifest.name())));
                boolean gone =
                        !isYoung(manifest.id()) && await(reclaimer.remove(container, manifest.name(), manifest.id()));
                if (gone) {
                    findings.removed(title, "a content that the blob " + manifest.name() + " does not hold");
                } else {
                    parts(manifest, verify);
                }
            }
        }

        private void parts(BlobRowCodec.Manifest manifest, boolean verify) {
            KeyRange rest = BlobRowCodec.parts(container, manifest.id(), manifest.name(), 0);
            while (!rest.isEmpty()) {
                Optional<First> row = first(rest);
                if (row.isEmpty()) {
                    return;
                }
                Part part = BlobRowCodec.decodePart(row.get().row());
                hold(part);
                if (verify) {
                    verify(manifest, part);
                }
                KeyRange range = rest;
                rest = row.get()
                        .next()
                        .map(key -> range.startingAt(key.bytes()))
                        .orElse(new KeyRange(range.to(), range.to()));
            }
        }

        private Optional<First> first(KeyRange range) {
            return await(rows.first(range));
        }

        private void hold(Part part) {
            if (part.place() instanceof Part.Stored stored) {
                held.add(stored.name());
            }
        }

        private void verify(BlobRowCodec.Manifest manifest, Part part) {
            Optional<String> damage = damage(part);
            if (damage.isEmpty()) {
                findings.sound(part.length());
            } else if (isHeld(manifest)) {
                findings.damaged(title, manifest.name(), damage.get());
            }
        }

        /** Whether a blob still has it: what was replaced or deleted meanwhile is missing for a good reason. */
        private boolean isHeld(BlobRowCodec.Manifest manifest) {
            return await(rows.versions(container, manifest.name())).stream()
                    .anyMatch(version -> version.blob().content().manifest().equals(manifest.id()));
        }

        private Optional<String> damage(Part part) {
            Crc64 crc = new Crc64();
            if (part.place() instanceof Part.Inline inline) {
                crc.update(inline.bytes(), 0, inline.bytes().length);
                findings.read(part.length());
            } else if (part.place() instanceof Part.Stored stored) {
                try (ContentStore.Source source = await(store.open(container, stored.name()))) {
                    read(source, part.length(), crc);
                } catch (CompletionException e) {
                    if (StageFailures.cause(e) instanceof EngineException trouble) {
                        return Optional.of(String.valueOf(trouble.getMessage()));
                    }
                    throw e;
                }
            } else {
                throw new AssertionError(part);
            }
            return crc.value() == part.crc64()
                    ? Optional.empty()
                    : Optional.of("the checksum of " + part.length() + " bytes differs");
        }

        private void read(ContentStore.Source source, long end, Crc64 crc) {
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, end));
            for (long position = 0; position < end; position += piece.limit()) {
                piece.clear().limit((int) Math.min(piece.capacity(), end - position));
                await(source.read(position, piece));
                piece.flip();
                crc.update(piece.duplicate());
                findings.read(piece.limit());
            }
        }

        /** What the store has and no row speaks of. */
        private void strays() {
            Set<String> strays = new HashSet<>();
            await(store.names(container, name -> {
                if (!held.contains(name) && !isYoung(name)) {
                    strays.add(name);
                }
            }));
            for (String name : strays) {
                await(store.delete(container, name));
                findings.removed(title, "content " + name);
            }
        }

        /** Whether something was begun too lately to be sure that nobody is still at it. Names begin with their time. */
        private boolean isYoung(String name) {
            long time = HexFormat.fromHexDigitsToLong(name, 0, 2 * Long.BYTES);
            return shared ? time > moments.next() - YOUNG : time >= began;
        }
    }
}
