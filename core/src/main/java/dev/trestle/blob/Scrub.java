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
import org.jspecify.annotations.Nullable;

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
            return manifests(BlobRows.manifests(container), verify)
                    .thenCompose(done -> blocks(BlobRows.blockNames(container, "", Optional.empty())))
                    .thenCompose(done -> strays());
        }

        /** Each content in turn: its parts verified if a blob holds it, and removed if none does. */
        private CompletionStage<Void> manifests(KeyRange range, boolean verify) {
            return rows.page(range, Filter.ALL, 1).thenCompose(page -> {
                if (page.size() == 0) {
                    return CompletableFuture.completedFuture(null);
                }
                BlobRows.Manifest manifest = BlobRows.Manifest.of(page.key(0));
                KeyRange rest = range.startingAt(
                        Key.afterPartition(container, BlobRows.partsPartition(manifest.id(), manifest.name())));
                return manifest(manifest, verify).thenCompose(done -> manifests(rest, verify));
            });
        }

        private CompletionStage<Void> manifest(BlobRows.Manifest manifest, boolean verify) {
            CompletionStage<Boolean> gone = isYoung(manifest.id())
                    ? CompletableFuture.completedFuture(false)
                    : reclaimer.remove(container, manifest.name(), manifest.id());
            return gone.thenCompose(removed -> {
                if (removed) {
                    findings.removed(title, "a content that the blob " + manifest.name() + " does not hold");
                    return CompletableFuture.completedFuture(null);
                }
                return parts(BlobRows.parts(container, manifest.id(), manifest.name(), 0), manifest.name(), verify);
            });
        }

        private CompletionStage<Void> parts(KeyRange range, String blob, boolean verify) {
            return rows.page(range, Filter.ALL, 1).thenCompose(page -> {
                if (page.size() == 0) {
                    return CompletableFuture.completedFuture(null);
                }
                Part part = BlobRows.decodePart(page.row(0));
                KeyRange rest = page.resume()
                        .map(key -> range.startingAt(key.bytes()))
                        .orElse(new KeyRange(range.to(), range.to()));
                CompletionStage<Void> checked = verify ? verify(blob, part) : CompletableFuture.completedFuture(null);
                if (part.place() instanceof Part.Stored stored) {
                    held.add(stored.name());
                }
                return checked.thenCompose(
                        done -> rest.isEmpty() ? CompletableFuture.completedFuture(null) : parts(rest, blob, verify));
            });
        }

        private CompletionStage<Void> verify(String blob, Part part) {
            Crc64 crc = new Crc64();
            CompletionStage<Void> read;
            if (part.place() instanceof Part.Inline inline) {
                crc.update(inline.bytes(), 0, inline.bytes().length);
                read = CompletableFuture.completedFuture(null);
            } else if (part.place() instanceof Part.Stored stored) {
                read = store.open(container, stored.name())
                        .thenCompose(source ->
                                read(source, 0, part.length(), crc).whenComplete((done, failure) -> source.close()));
            } else {
                throw new AssertionError(part);
            }
            return read.handle((done, failure) -> {
                tell(blob, part, crc, failure);
                return null;
            });
        }

        private void tell(String blob, Part part, Crc64 crc, @Nullable Throwable failure) {
            if (failure != null && !(BlobVersions.cause(failure) instanceof EngineException)) {
                throw new IllegalStateException(failure);
            } else if (failure != null) {
                findings.damaged(
                        title, blob, String.valueOf(BlobVersions.cause(failure).getMessage()));
            } else if (crc.value() != part.crc64()) {
                findings.damaged(title, blob, "the checksum of " + part.length() + " bytes differs");
            } else {
                findings.sound(part.length());
            }
        }

        private CompletionStage<Void> read(ContentStore.Source source, long position, long end, Crc64 crc) {
            if (position == end) {
                return CompletableFuture.completedFuture(null);
            }
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, end - position));
            return source.read(position, piece).thenCompose(done -> {
                piece.flip();
                long next = position + piece.remaining();
                crc.update(piece);
                return read(source, next, end, crc);
            });
        }

        /** Blocks that a commit has made void, or that nobody committed in time. */
        private CompletionStage<Void> blocks(KeyRange range) {
            return rows.page(range, Filter.ALL, 1).thenCompose(page -> {
                if (page.size() == 0) {
                    return CompletableFuture.completedFuture(null);
                }
                String name = BlobRows.name(page.key(0));
                KeyRange rest = range.startingAt(Key.afterPartition(container, BlobRows.blocksPartition(name)));
                return rows.read(container, name, OptionalLong.empty())
                        .thenCompose(blob -> {
                            long committed = blob.map(version -> version.blob().committed())
                                    .orElse(0L);
                            return reclaimer.removeBlocks(
                                    container, name, Math.max(committed, moments.next() - BLOCK_LIFE));
                        })
                        .thenCompose(removed -> rows.each(BlobRows.blocks(container, name), (key, row) -> {
                            if (BlobRows.decodeBlock(key, row).part().place() instanceof Part.Stored stored) {
                                held.add(stored.name());
                            }
                        }))
                        .thenCompose(done -> blocks(rest));
            });
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
