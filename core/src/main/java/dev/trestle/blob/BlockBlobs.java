package dev.trestle.blob;

import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Blobs made whole, or of blocks that were put before. */
public final class BlockBlobs {
    private final BlobVersions versions;
    private final BlobRowStore rows;
    private final BlobContents contents;
    private final Reclaimer reclaimer;
    private final BlockCounts counts;

    BlockBlobs(BlobVersions versions, BlobRowStore rows, BlobContents contents, Reclaimer reclaimer) {
        this.versions = versions;
        this.rows = rows;
        this.contents = contents;
        this.reclaimer = reclaimer;
        this.counts = new BlockCounts(rows, Limits.UNCOMMITTED_BLOCKS_MAX);
    }

    /** Makes a blob of what has arrived. */
    public CompletionStage<Blob> put(BlobAddress address, NewBlob made, StagedContent staged) {
        String name = address.name().value();
        List<Part> parts = staged.length() == 0 ? List.of() : List.of(staged.part(""));
        return versions.in(
                address,
                staged,
                container -> contents.write(container, name, BlobType.BLOCK, parts)
                        .thenCompose(content -> versions.replace(
                                container,
                                name,
                                new BlobVersions.Draft(BlobType.BLOCK, made, content, 0, false, Optional.empty())))
                        .whenComplete((blob, failure) -> {
                            if (failure == null) {
                                contents.keep(container, parts);
                                reclaimer.releaseBlocks(container, name, blob.committed());
                            }
                            if (parts.isEmpty()) {
                                contents.discard(container, staged.part(""));
                            }
                        }));
    }

    /** Puts a block, which is part of no blob until it is committed. */
    public CompletionStage<Void> putBlock(BlobAddress address, String id, Optional<UUID> lease, StagedContent staged) {
        Part block = staged.part(id);
        return versions.in(
                address,
                staged,
                container -> checkBlock(container, address.name().value(), id, lease)
                        .thenCompose(after -> putBlock(container, address.name().value(), block, after))
                        .thenAccept(done -> contents.keep(container, List.of(block))));
    }

    /** Throws what would stand in the way of such a block, now. */
    public CompletionStage<Void> checkBlock(BlobAddress address, String id, Optional<UUID> lease) {
        return versions.in(
                address,
                container ->
                        checkBlock(container, address.name().value(), id, lease).thenAccept(after -> {}));
    }

    /** Answers when the blob was committed last; blocks have to be put after that to count. */
    private CompletionStage<Long> checkBlock(long container, String name, String id, Optional<UUID> lease) {
        return rows.read(container, name, OptionalLong.empty()).thenCompose(found -> {
            // What is not there has no lease, and whoever says that it holds one is told so.
            found.map(version -> version.blob().lease())
                    .orElse(Lease.NONE)
                    .checkWrite(versions.now(), lease, Lease.Codes.BLOB);
            if (found.isPresent()) {
                Blob blob = found.get().blob();
                if (blob.type() != BlobType.BLOCK) {
                    throw new StorageException(StorageError.INVALID_BLOB_TYPE);
                }
                blob.tier().requireOnline(versions.now());
            }
            long committed = found.map(version -> version.blob().committed()).orElse(0L);
            return rows.first(BlobRowCodec.blocks(container, name)).thenApply(first -> {
                if (first.isPresent()) {
                    BlobRowCodec.PutBlock other = BlobRowCodec.decodeBlock(
                            first.get().key(), first.get().row());
                    if (other.put() > committed && other.part().block().length() != id.length()) {
                        throw new StorageException(StorageError.INVALID_BLOB_OR_BLOCK);
                    }
                }
                return committed;
            });
        });
    }

    private CompletionStage<Void> putBlock(long container, String name, Part block, long after) {
        if (block.length() == 0) {
            throw BlobVersions.emptyBlock();
        }
        Key key = BlobRowCodec.blockKey(container, name, block.block());
        return rows.row(key)
                .thenCompose(old -> old.isPresent()
                        ? putBlock(container, name, block, after, old)
                        : counts.room(container, name)
                                .thenCompose(room -> putBlock(container, name, block, after, old)));
    }

    private CompletionStage<Void> putBlock(long container, String name, Part block, long after, Optional<byte[]> old) {
        Key key = BlobRowCodec.blockKey(container, name, block.block());
        Precondition unchanged =
                old.map(row -> Precondition.versionEquals(Rows.version(row))).orElse(Precondition.ABSENT);
        byte[] row = BlobRowCodec.encode(block, BlobETag.next(versions.now(), after));
        return rows.commit(container, BlobRowCodec.blocksPartition(name), List.of(new Write.Put(key, row, unchanged)))
                .thenCompose(done -> {
                    if (!done) {
                        return putBlock(container, name, block, after);
                    }
                    old.ifPresentOrElse(
                            before -> reclaimer.releaseBlock(
                                    container,
                                    name,
                                    BlobRowCodec.decodeBlock(key, before).part()),
                            () -> counts.added(container, name));
                    return CompletableFuture.completedFuture(null);
                });
    }

    /** Where to look for a block that is to be committed. */
    public enum Among {
        COMMITTED,
        UNCOMMITTED,
        /** Among the uncommitted first. */
        LATEST
    }

    /** A block that is to be committed. */
    public record Wanted(Among among, String id) {}

    /** Makes a blob of blocks, in this order. */
    public CompletionStage<Blob> commit(BlobAddress address, List<Wanted> wanted, NewBlob made) {
        if (wanted.size() > Limits.BLOCKS_MAX) {
            throw new StorageException(StorageError.BLOCK_LIST_TOO_LONG);
        }
        String name = address.name().value();
        return versions.in(address, container -> {
            ContentPins.Pin pin = reclaimer.pinBlocks(container, name);
            return versions.whileGone(() -> commit(container, name, wanted, made))
                    .whenComplete((blob, failure) -> {
                        pin.close();
                        if (failure == null) {
                            reclaimer.releaseBlocks(container, name, blob.committed());
                        }
                    });
        });
    }

    private CompletionStage<Blob> commit(long container, String name, List<Wanted> wanted, NewBlob made) {
        return rows.read(container, name, OptionalLong.empty()).thenCompose(found -> {
            BlobVersions.check(found.map(BlobRowStore.Version::blob), BlobType.BLOCK, made, versions.now());
            return blocks(container, name, found.map(BlobRowStore.Version::blob))
                    .thenApply(blocks -> blocks.choose(wanted))
                    .thenCompose(parts -> contents.write(container, name, BlobType.BLOCK, parts))
                    .thenCompose(content -> {
                        Blob blob = new BlobVersions.Draft(BlobType.BLOCK, made, content, 0, false, Optional.empty())
                                .over(name, found.map(BlobRowStore.Version::blob), versions.now());
                        return versions.replaceIf(container, blob, found).thenCompose(done -> {
                            if (!done) {
                                // The blocks may be others now, so they are looked up again.
                                reclaimer.release(container, name, content);
                                return commit(container, name, wanted, made);
                            }
                            return CompletableFuture.completedFuture(blob);
                        });
                    });
        });
    }

    /** The blocks there are to choose from. */
    private record Blocks(List<Part> committed, List<Part> uncommitted) {
        List<Part> choose(List<Wanted> wanted) {
            Map<String, Part> old = byId(committed);
            Map<String, Part> fresh = byId(uncommitted);
            List<Part> chosen = new ArrayList<>(wanted.size());
            for (Wanted block : wanted) {
                Optional<Part> part = switch (block.among) {
                    case COMMITTED -> Optional.ofNullable(old.get(block.id));
                    case UNCOMMITTED -> Optional.ofNullable(fresh.get(block.id));
                    case LATEST -> Optional.ofNullable(fresh.getOrDefault(block.id, old.get(block.id)));
                };
                chosen.add(part.orElseThrow(() -> new StorageException(StorageError.INVALID_BLOCK_LIST)));
            }
            return chosen;
        }

        private static Map<String, Part> byId(List<Part> parts) {
            Map<String, Part> byId = new HashMap<>();
            parts.forEach(part -> {
                if (!part.block().isEmpty()) {
                    byId.put(part.block(), part);
                }
            });
            return byId;
        }
    }

    private CompletionStage<Blocks> blocks(long container, String name, Optional<Blob> blob) {
        List<Part> fresh = new ArrayList<>();
        long committed = blob.map(Blob::committed).orElse(0L);
        CompletionStage<List<Part>> old = blob.map(has -> contents.parts(container, has))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
        return old.thenCompose(parts -> rows.each(BlobRowCodec.blocks(container, name), (key, row) -> {
                    BlobRowCodec.PutBlock block = BlobRowCodec.decodeBlock(key, row);
                    if (block.put() > committed) {
                        fresh.add(block.part());
                    }
                })
                .thenApply(all -> new Blocks(parts, fresh)));
    }

    /**
     * The blocks of a blob: those it is made of, in its order, and those that wait, by id.
     *
     * @param blob empty when nothing was committed yet
     */
    public record BlockLists(Optional<Blob> blob, List<Block> committed, List<Block> uncommitted) {}

    public CompletionStage<BlockLists> list(BlobAddress address, OptionalLong snapshot, AccessConditions guard) {
        String name = address.name().value();
        return versions.in(
                address,
                container -> versions.whileGone(() -> rows.read(container, name, snapshot)
                        .thenCompose(found -> {
                            Optional<Blob> blob = found.map(BlobRowStore.Version::blob);
                            blob.ifPresent(has -> {
                                guard.checkRead(has, versions.now());
                                if (has.type() != BlobType.BLOCK) {
                                    throw new StorageException(StorageError.INVALID_BLOB_TYPE);
                                }
                                has.tier().requireOnline(versions.now());
                            });
                            if (blob.isEmpty() && snapshot.isPresent()) {
                                throw guard.absent();
                            }
                            return blocks(container, name, blob).thenApply(blocks -> {
                                if (blob.isEmpty() && blocks.uncommitted.isEmpty()) {
                                    throw guard.absent();
                                }
                                return new BlockLists(
                                        blob,
                                        listed(blocks.committed),
                                        snapshot.isPresent() ? List.of() : listed(blocks.uncommitted));
                            });
                        })));
    }

    private static List<Block> listed(List<Part> parts) {
        return parts.stream()
                .filter(part -> !part.block().isEmpty())
                .map(part -> new Block(part.block(), part.length()))
                .toList();
    }
}
