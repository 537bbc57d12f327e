package dev.trestle.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Blobs made of other blobs of this server. */
public final class Copies {
    private static final int PIECE_BYTES = 256 * 1024;

    private final BlobVersions versions;
    private final Contents contents;
    private final BlobService blobs;

    Copies(BlobVersions versions, Contents contents, BlobService blobs) {
        this.versions = versions;
        this.contents = contents;
        this.blobs = blobs;
    }

    /**
     * What is copied.
     *
     * @param url how the caller named it, without what would let its reader in
     */
    public record Source(BlobAddress address, OptionalLong snapshot, Conditions conditions, String url) {}

    /**
     * Makes a blob that is what another one is: its content, its blocks, its type, and what is said of it. The copy is
     * complete when the stage is.
     *
     * @param made what the new blob is to be instead, of what was found
     */
    public CompletionStage<Blob> copy(Source source, BlobAddress target, Function<Blob, NewBlob> made) {
        return versions.whileGone(() -> find(source).thenCompose(found -> {
            NewBlob wanted = made.apply(found);
            return blobs.check(target, found.type(), wanted)
                    .thenCompose(allowed -> versions.in(
                            source.address(),
                            from -> versions.in(
                                    target,
                                    to -> copy(from, found, to, target.name().value(), wanted, source.url()))));
        }));
    }

    private CompletionStage<Blob> copy(long from, Blob source, long to, String name, NewBlob wanted, String url) {
        return contents.copy(from, source, to, name)
                .thenCompose(parts -> contents.write(to, name, source.type(), parts)
                        .thenCompose(content -> versions.replace(
                                to,
                                name,
                                new BlobVersions.Draft(
                                        source.type(),
                                        wanted,
                                        content,
                                        source.appends(),
                                        Optional.of(new CopyState(
                                                UUID.randomUUID().toString(), url, content.length(), versions.now())))))
                        .whenComplete((made, failure) -> {
                            if (failure == null) {
                                contents.keep(to, parts);
                            }
                        }));
    }

    /** The source as it is, or what a caller is told who wants to copy it. */
    public CompletionStage<Blob> find(Source source) {
        return blobs.find(source.address(), source.snapshot(), new Guard(source.conditions(), Optional.empty()))
                .exceptionallyCompose(Copies::ofSource);
    }

    /** Takes in bytes of another blob as if they had been sent. */
    public CompletionStage<Staged> stage(
            Source source, BlobAddress target, Function<Blob, BlobService.Range> range, long bytesMax) {
        return blobs.open(
                        source.address(), source.snapshot(), new Guard(source.conditions(), Optional.empty()), blob -> {
                            BlobService.Range wanted = range.apply(blob);
                            if (wanted.length() > bytesMax) {
                                throw new StorageException(StorageError.REQUEST_BODY_TOO_LARGE);
                            }
                            return wanted;
                        })
                .exceptionallyCompose(Copies::ofSource)
                .thenCompose(opened -> stage(opened.reader(), target)
                        .whenComplete((staged, failure) -> opened.reader().close()));
    }

    private CompletionStage<Staged> stage(BlobReader reader, BlobAddress target) {
        if (reader.remaining() <= Contents.INLINE_BYTES_MAX) {
            ByteBuffer small = ByteBuffer.allocate((int) reader.remaining());
            return fill(reader, small).thenApply(full -> Staged.inMemory(small.array(), 0, small.position()));
        }
        return blobs.upload(target)
                .thenCompose(upload -> pump(reader, upload, ByteBuffer.allocate(PIECE_BYTES))
                        .thenCompose(pumped -> upload.finish())
                        .whenComplete((staged, failure) -> {
                            if (failure != null) {
                                upload.abandon();
                            }
                        }));
    }

    private static CompletionStage<Void> fill(BlobReader reader, ByteBuffer into) {
        return reader.read(into)
                .thenCompose(read -> read == 0 ? CompletableFuture.completedFuture(null) : fill(reader, into));
    }

    private static CompletionStage<Void> pump(BlobReader reader, Upload upload, ByteBuffer buffer) {
        buffer.clear();
        return reader.read(buffer).thenCompose(read -> {
            if (read == 0) {
                return CompletableFuture.completedFuture(null);
            }
            buffer.flip();
            return upload.write(buffer).thenCompose(written -> pump(reader, upload, buffer));
        });
    }

    private static <T> CompletionStage<T> ofSource(Throwable failure) {
        Throwable cause = BlobVersions.cause(failure);
        if (cause instanceof StorageException refusal) {
            return CompletableFuture.failedFuture(
                    switch (refusal.error()) {
                        case CONTAINER_NOT_FOUND, BLOB_NOT_FOUND ->
                            new StorageException(
                                            StorageError.CANNOT_VERIFY_COPY_SOURCE,
                                            "The specified resource does not exist.")
                                    .withHeader("x-ms-copy-source-status-code", "404")
                                    .withHeader(
                                            "x-ms-copy-source-error-code",
                                            refusal.error().code());
                        case CONDITION_NOT_MET, NOT_MODIFIED, UNSATISFIABLE_CONDITION ->
                            new StorageException(StorageError.SOURCE_CONDITION_NOT_MET);
                        default -> refusal;
                    });
        }
        return CompletableFuture.failedFuture(cause);
    }
}
