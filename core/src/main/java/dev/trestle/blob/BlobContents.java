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
 * The contents of blobs: sequences of parts, stored under a manifest id that is never reused. Parts are written
 * before the blob that refers to them, so every visible blob is complete.
 */
final class BlobContents {
    /** Larger parts are in the content store, because compactions would rewrite large rows again and again. */
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

    /** Returns a unique and unpredictable name. Later names sort after earlier ones. */
    String newName() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(ticks.next()) + hex.toHexDigits(random.nextLong());
    }

    /** Writes parts as a new content of a blob of this type. */
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

    /** Tells the store that a blob refers to the parts. */
    void keep(long container, List<Part> parts) {
        for (Part part : parts) {
            if (part.place() instanceof Part.Stored stored) {
                store.keep(container, stored.name());
            }
        }
    }

    /** Returns the number of reads that found a wrong checksum. */
    long damagedReads() {
        return verified.damaged();
    }

    void discard(long container, Part part) {
        if (part.place() instanceof Part.Stored stored) {
            store.delete(container, stored.name());
        }
    }

    /** Returns all parts of a blob's content in their order. */
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
     * Opens a range of a blob's content. Fails with {@link ContentGoneException} if the content was reclaimed. An
     * open content is kept until the reader is closed.
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
     * Returns copies of the parts for another blob. Contents of the store are copied, so that each has one owner.
     *
     * @param source the owner of the parts, pinned during the copy
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
