package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.MonotonicTicks;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * What is in blobs: parts one behind the other, filed under a manifest that is never used again. Parts are written before
 * the blob that holds them, so a blob that can be seen is whole.
 */
final class BlobContents {
    /** What is larger lies in the content store: larger rows would be written again and again as the engine tidies up. */
    static final int INLINE_BYTES_MAX = 32 * 1024;

    private final BlobRowStore rows;
    private final ContentStore store;
    private final MonotonicTicks ticks;
    private final RandomGenerator random;
    private final ContentPins pins;
    private final VerifiedContents verified;

    BlobContents(
            BlobRowStore rows,
            ContentStore store,
            MonotonicTicks ticks,
            RandomGenerator random,
            ContentPins pins,
            VerifiedContents verified) {
        this.rows = rows;
        this.store = store;
        this.ticks = ticks;
        this.random = random;
        this.pins = pins;
        this.verified = verified;
    }

    Upload upload(long container, String blob) {
        return new Upload(store, container, blob, newName());
    }

    /** A name that nobody had before and nobody can guess; those drawn later are greater. */
    String newName() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(ticks.next()) + hex.toHexDigits(random.nextLong());
    }

    /** Files parts as a new content of a blob of this type. */
    CompletionStage<Blob.ContentRef> write(long container, String blob, BlobType type, List<Part> parts) {
        String manifest = newName();
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(new Blob.ContentRef(manifest, 0, 0));
        }
        List<Write> writes = new ArrayList<>(parts.size());
        long end = 0;
        for (Part part : parts) {
            end += part.length();
            writes.add(new Write.Put(
                    BlobRowCodec.partKey(container, manifest, blob, end),
                    BlobRowCodec.encode(part),
                    Precondition.NONE));
        }
        Blob.ContentRef content = new Blob.ContentRef(manifest, parts.size(), end);
        if (type == BlobType.APPEND) {
            writes.add(new Write.Put(
                    BlobRowCodec.tailKey(container, manifest, blob),
                    BlobRowCodec.encodeTail(content),
                    Precondition.NONE));
        }
        return rows.commitAll(container, BlobRowCodec.partsPartition(manifest, blob), writes)
                .thenApply(written -> content);
    }

    /** Tells the store that what it holds of the parts is held by a blob. */
    void keep(long container, List<Part> parts) {
        for (Part part : parts) {
            if (part.place() instanceof Part.Stored stored) {
                store.keep(container, stored.name());
            }
        }
    }

    /** How often a content that was read was not what was written. */
    long damagedReads() {
        return verified.damaged();
    }

    void discard(long container, Part part) {
        if (part.place() instanceof Part.Stored stored) {
            store.delete(container, stored.name());
        }
    }

    /** All parts of a blob's content, in their order. */
    CompletionStage<List<Part>> parts(long container, Blob blob) {
        if (blob.content().parts() == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        List<Part> parts = new ArrayList<>();
        KeyRange range = BlobRowCodec.parts(container, blob.content().manifest(), blob.name(), 0);
        return rows.each(range, (key, row) -> {
                    if (BlobRowCodec.end(key) <= blob.length()) {
                        parts.add(BlobRowCodec.decodePart(row));
                    }
                })
                .thenApply(all -> {
                    if (parts.size() != blob.content().parts()) {
                        throw new ContentGoneException();
                    }
                    return parts;
                });
    }

    /**
     * Opens a range of a blob's content. Fails with {@link ContentGoneException} when the content is no more; once
     * opened, it stays until the reader is closed.
     */
    CompletionStage<BlobReader> open(long container, Blob blob, long from, long length) {
        ContentPins.Pin pin = pins.pin(
                new ContentPins.Content(container, blob.name(), blob.content().manifest()));
        BlobReader reader = new BlobReader(rows, store, verified, container, blob, from, length, pin);
        return reader.start().whenComplete((started, failure) -> {
            if (failure != null) {
                reader.close();
            }
        });
    }

    /**
     * The parts as another blob may hold them: those in the store copied, so that each is held once.
     *
     * @param source the blob whose content they are, pinned meanwhile
     */
    CompletionStage<List<Part>> copy(long container, Blob source, long toContainer, String toBlob) {
        ContentPins.Pin pin = pins.pin(new ContentPins.Content(
                container, source.name(), source.content().manifest()));
        byte[] owner = BlobRowCodec.owner(toContainer, toBlob);
        List<Part> copies = new ArrayList<>();
        return parts(container, source)
                .thenCompose(parts -> {
                    CompletionStage<Void> copied = CompletableFuture.completedFuture(null);
                    for (Part part : parts) {
                        copied = copied.thenCompose(before ->
                                copy(container, part, toContainer, owner).thenAccept(copies::add));
                    }
                    return copied;
                })
                .<List<Part>>thenApply(done -> copies)
                .whenComplete((done, failure) -> {
                    pin.close();
                    if (failure != null) {
                        copies.forEach(part -> discard(toContainer, part));
                    }
                });
    }

    private CompletionStage<Part> copy(long container, Part part, long toContainer, byte[] owner) {
        if (part.place() instanceof Part.Stored stored) {
            String name = newName();
            return store.copy(container, stored.name(), toContainer, name, owner)
                    .thenApply(done -> new Part(part.block(), part.length(), part.crc64(), new Part.Stored(name)));
        }
        return CompletableFuture.completedFuture(part);
    }
}
