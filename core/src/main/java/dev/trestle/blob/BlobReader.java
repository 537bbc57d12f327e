package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A range of a blob as it was when it was opened, read from its start to its end by one caller at a time. What it reads
 * stays as long as it is not closed.
 */
public final class BlobReader implements AutoCloseable {
    private static final int PARTS_AHEAD = 1000;

    private final BlobRowStore rows;
    private final ContentStore store;
    private final long container;
    private final Blob blob;
    private final long end;
    private final VerifiedContents verified;
    private final ContentPins.Pin pin;
    private final Deque<Placed> ahead = new ArrayDeque<>();
    private long position;
    private @Nullable Open open;
    private boolean closed;

    /** A part and where in the blob it ends. */
    private record Placed(Part part, long end) {
        long start() {
            return end - part.length();
        }
    }

    /**
     * The part whose content is open.
     *
     * @param crc64 of what was read of it, where all of it is to be compared with its checksum
     */
    private record Open(Placed placed, Part.Stored stored, ContentStore.Source source, Optional<Crc64> crc64) {}

    /** A range of a file that is all there is to read. */
    public record FileRange(FileChannel file, long position) {}

    BlobReader(
            BlobRowStore rows,
            ContentStore store,
            VerifiedContents verified,
            long container,
            Blob blob,
            long from,
            long length,
            ContentPins.Pin pin) {
        this.rows = rows;
        this.store = store;
        this.verified = verified;
        this.container = container;
        this.blob = blob;
        this.position = from;
        this.end = from + length;
        this.pin = pin;
    }

    /** Finds the first part, so that a content that is gone is seen before anything is answered. */
    CompletionStage<BlobReader> start() {
        if (position == end) {
            return CompletableFuture.completedFuture(this);
        }
        return fill().thenCompose(filled -> openFirst()).thenApply(opened -> this);
    }

    private CompletionStage<Void> fill() {
        String manifest = blob.content().manifest();
        if (blob.content().parts() == 1) {
            Key only = BlobRowCodec.partKey(container, manifest, blob.name(), blob.length());
            return rows.row(only).thenAccept(row -> {
                ahead.add(
                        new Placed(BlobRowCodec.decodePart(row.orElseThrow(ContentGoneException::new)), blob.length()));
            });
        }
        KeyRange range = BlobRowCodec.parts(container, manifest, blob.name(), position);
        return rows.page(range, Filter.ALL, PARTS_AHEAD).thenAccept(page -> {
            try (page) {
                if (page.size() == 0) {
                    throw new ContentGoneException();
                }
                for (int i = 0; i < page.size(); i++) {
                    ahead.add(new Placed(BlobRowCodec.decodePart(page.row(i)), BlobRowCodec.end(page.key(i))));
                }
            }
        });
    }

    private CompletionStage<Void> openFirst() {
        Placed first = ahead.element();
        if (first.start() > position) {
            throw new ContentGoneException();
        }
        return first.part.place() instanceof Part.Stored stored
                ? open(first, stored)
                : CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> open(Placed placed, Part.Stored stored) {
        return store.open(container, stored.name())
                .thenCompose(source -> prepare(placed, stored, source)
                        .thenAccept(this::use)
                        .whenComplete((used, failure) -> {
                            if (failure != null) {
                                source.close();
                            }
                        }));
    }

    private void use(Open prepared) {
        synchronized (this) {
            if (!closed) {
                open = prepared;
                return;
            }
        }
        throw new ContentGoneException();
    }

    /** Compares the content with its checksum, or has that done while it is read, as {@link VerifiedContents} says. */
    private CompletionStage<Open> prepare(Placed placed, Part.Stored stored, ContentStore.Source source) {
        Open unverified = new Open(placed, stored, source, Optional.empty());
        if (verified.isKnown(container, stored.name(), source)) {
            return CompletableFuture.completedFuture(unverified);
        }
        long wanted = Math.min(end, placed.end) - position;
        if (VerifiedContents.isWorthReading(source, placed.part.length(), wanted)) {
            return verified.verify(container, stored.name(), source, placed.part)
                    .thenApply(sound -> unverified);
        }
        return CompletableFuture.completedFuture(
                wanted == placed.part.length()
                        ? new Open(placed, stored, source, Optional.of(new Crc64()))
                        : unverified);
    }

    /** Bytes not read yet. */
    public long remaining() {
        return end - position;
    }

    /** The file that all of the rest lies in, where it lies in one. */
    public synchronized Optional<FileRange> file() {
        // What is still to be verified has to pass through memory.
        if (open == null || open.placed.end < end || open.crc64.isPresent()) {
            return Optional.empty();
        }
        long start = open.placed.start();
        return open.source.file().map(channel -> new FileRange(channel, position - start));
    }

    /** Reads on into the buffer: at least a byte and as many as come easily; none at the end. */
    public CompletionStage<Integer> read(ByteBuffer into) {
        if (position == end || !into.hasRemaining()) {
            return CompletableFuture.completedFuture(0);
        }
        if (ahead.isEmpty()) {
            return fill().thenCompose(filled -> read(into));
        }
        Placed next = ahead.element();
        if (next.part.place() instanceof Part.Inline) {
            return CompletableFuture.completedFuture(readInline(into));
        } else if (next.part.place() instanceof Part.Stored stored) {
            return readStored(into, next, stored);
        }
        throw new AssertionError(next);
    }

    private int readInline(ByteBuffer into) {
        int before = into.position();
        while (!ahead.isEmpty()
                && into.hasRemaining()
                && position < end
                && ahead.element().part.place() instanceof Part.Inline inline) {
            Placed placed = ahead.element();
            int offset = (int) (position - placed.start());
            int length = (int) Math.min(into.remaining(), Math.min(end, placed.end) - position);
            into.put(inline.bytes(), offset, length);
            advance(placed, length);
        }
        return into.position() - before;
    }

    private CompletionStage<Integer> readStored(ByteBuffer into, Placed placed, Part.Stored stored) {
        Open current = open;
        if (current == null || current.placed.end != placed.end) {
            return open(placed, stored).thenCompose(opened -> read(into));
        }
        int length = (int) Math.min(into.remaining(), Math.min(end, placed.end) - position);
        ByteBuffer target = into.slice().limit(length);
        return current.source.read(position - placed.start(), target).thenApply(read -> {
            verify(current, target.flip(), position + length == placed.end);
            into.position(into.position() + length);
            advance(placed, length);
            return length;
        });
    }

    /** @param last whether the part ends with this piece, which must not be sent if the checksum differs */
    private void verify(Open current, ByteBuffer piece, boolean last) {
        current.crc64.ifPresent(crc64 -> {
            crc64.update(piece);
            if (last) {
                verified.require(container, current.stored.name(), current.source, current.placed.part, crc64);
            }
        });
    }

    private void advance(Placed placed, int length) {
        position += length;
        if (position == placed.end) {
            ahead.remove();
            closeOpen();
        }
    }

    private synchronized void closeOpen() {
        if (open != null) {
            open.source.close();
            open = null;
        }
    }

    /** May be called at any time, also while a read is under way, which then fails. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            closeOpen();
        }
        pin.close();
    }
}
