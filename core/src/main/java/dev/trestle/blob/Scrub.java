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
import dev.trestle.model.Page;
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
 * Scrubs the blobs of an account while the service runs: verifies the checksum of every content, and deletes
 * contents that no blob refers to, which a crash may leave.
 *
 * <p>Runs on a thread of its own and blocks for each step: a chain of stages for millions of blobs would take
 * memory, and a scrub is not urgent.
 */
public final class Scrub {
    private static final int PIECE_BYTES = 256 * 1024;
    private static final int PAGE_CONTAINERS = 1000;

    /** Younger contents may belong to a request in flight, here or in another process. */
    private static final long YOUNG = Ticks.PER_DAY;

    /** Uncommitted blocks are deleted after a week. */
    private static final long BLOCK_LIFE = 7 * Ticks.PER_DAY;

    private final Catalogue catalogue;
    private final BlobRowStore rows;
    private final ContentStore store;
    private final Reclaimer reclaimer;
    private final UnreferencedContents unreferenced;
    private final MonotonicTicks ticks;
    private final long began;
    private final boolean shared;

    Scrub(
            Catalogue catalogue,
            BlobRowStore rows,
            ContentStore store,
            Reclaimer reclaimer,
            UnreferencedContents unreferenced,
            MonotonicTicks ticks,
            boolean shared) {
        this.catalogue = catalogue;
        this.rows = rows;
        this.store = store;
        this.reclaimer = reclaimer;
        this.unreferenced = unreferenced;
        this.ticks = ticks;
        this.shared = shared;
        this.began = ticks.next();
    }

    /** Receives the findings, on the thread of the scrub. An exception ends the scrub. */
    public interface Findings {
        /** Bytes of a content were read. */
        default void read(long bytes) {}

        /** The checksum of a content is right. */
        void sound(long bytes);

        /** A content cannot be read, or its checksum differs. */
        void damaged(String container, String blob, String what);

        /** A content that no blob refers to was removed. */
        void removed(String container, String what);
    }

    /** Returns the accounts that have or had containers. */
    public CompletionStage<List<String>> accounts() {
        return catalogue.accounts();
    }

    /**
     * Scrubs an account.
     *
     * @param verify whether to verify contents, besides removing unreferenced ones
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
        await(unreferenced.settle());
        for (Optional<String> from = Optional.of(""); from.isPresent(); ) {
            Page<CatalogueEntry, String> page = await(catalogue.list(account, "", PAGE_CONTAINERS, from.get()));
            for (CatalogueEntry container : page.items()) {
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

    /** The scrub of one container. */
    private final class OfContainer {
        private final long container;
        private final String title;
        private final Findings findings;
        private final Set<String> referenced = new HashSet<>();

        OfContainer(long container, String title, Findings findings) {
            this.container = container;
            this.title = title;
            this.findings = findings;
        }

        /**
         * Collects blocks before manifests, because a concurrent commit moves blocks from the former to the
         * latter.
         */
        void scrub(boolean verify) {
            blocks();
            manifests(verify);
            strays();
        }

        /** Deletes void and old uncommitted blocks, and collects the references of the others. */
        private void blocks() {
            KeyRange rest = BlobRowCodec.blockNames(container, "", Optional.empty());
            for (Optional<First> next = first(rest); next.isPresent(); next = first(rest)) {
                String name = BlobRowCodec.name(next.get().key());
                rest = rest.startingAt(Key.afterPartition(container, BlobRowCodec.blocksPartition(name)));
                long committed = await(rows.read(container, name, OptionalLong.empty()))
                        .map(version -> version.blob().committed())
                        .orElse(0L);
                await(reclaimer.removeBlocks(container, name, Math.max(committed, ticks.next() - BLOCK_LIFE)));
                await(rows.each(
                        BlobRowCodec.blocks(container, name),
                        (key, row) ->
                                addReference(BlobRowCodec.decodeBlock(key, row).part())));
            }
        }

        /**
         * Verifies the parts of each manifest, or removes it if no blob refers to it. Manifests are in the order
         * of their creation, so one that shares contents with an earlier one comes after it.
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
                    findings.removed(title, "an unreferenced content of blob " + manifest.name());
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
                addReference(part);
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

        private void addReference(Part part) {
            if (part.place() instanceof Part.Stored stored) {
                referenced.add(stored.name());
            }
        }

        private void verify(BlobRowCodec.Manifest manifest, Part part) {
            Optional<String> damage = damage(part);
            if (damage.isEmpty()) {
                findings.sound(part.length());
            } else if (isReferenced(manifest)) {
                findings.damaged(title, manifest.name(), damage.get());
            }
        }

        /** Returns whether a blob still refers to the manifest. Otherwise a missing part is not damage. */
        private boolean isReferenced(BlobRowCodec.Manifest manifest) {
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
                    if (StageFailures.cause(e) instanceof EngineException error) {
                        return Optional.of(String.valueOf(error.getMessage()));
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

        /** Deletes contents of the store that no row refers to. */
        private void strays() {
            Set<String> strays = new HashSet<>();
            await(store.names(container, name -> {
                if (!referenced.contains(name) && !isYoung(name)) {
                    strays.add(name);
                }
            }));
            for (String name : strays) {
                await(store.delete(container, name));
                findings.removed(title, "content " + name);
            }
        }

        /**
         * Returns whether a request in flight may still use a content, by the creation time at the start of its
         * name.
         */
        private boolean isYoung(String name) {
            long time = HexFormat.fromHexDigitsToLong(name, 0, 2 * Long.BYTES);
            return shared ? time > ticks.next() - YOUNG : time >= began;
        }
    }
}
