package dev.trestle.blob;

import dev.trestle.async.AsyncLoop;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.nio.ByteBuffer;
import java.util.List;
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
    private final BlobContents contents;
    private final BlobService blobs;
    private final long rehydrationTicks;

    Copies(BlobVersions versions, BlobContents contents, BlobService blobs, long rehydrationTicks) {
        this.rehydrationTicks = rehydrationTicks;
        this.versions = versions;
        this.contents = contents;
        this.blobs = blobs;
    }

    /**
     * What is copied.
     *
     * @param url how the caller named it, without what would let its reader in
     * @param fetched whether its bytes are fetched from the URL, as by a client that reads the blob; then failed
     *     conditions have the status that such a client gets
     */
    public record Source(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, String url, boolean fetched) {
        /** A source within the service. */
        public Source(BlobAddress address, OptionalLong snapshot, AccessConditions guard, String url) {
            this(address, snapshot, guard, url, false);
        }

        /** The same, as long as it is the version that was seen. */
        private Source asSeen(Blob blob) {
            Conditions same = new Conditions(
                    List.of(BlobETag.format(blob.modified())), List.of(), OptionalLong.empty(), OptionalLong.empty());
            return new Source(address, snapshot, new AccessConditions(same, guard.lease()), url, fetched);
        }
    }

    /**
     * A blob that was copied.
     *
     * @param crc64 of its content
     */
    public record Copied(Blob blob, long crc64) {}

    /**
     * Makes a blob that is what another one is: its content, its blocks, its type, and what is said of it. The copy is
     * complete when the stage is.
     *
     * @param made what the new blob is to be instead, of what was found
     */
    public CompletionStage<Copied> copy(Source source, BlobAddress target, Function<Blob, NewBlob> made) {
        return copy(source, target, made, Optional.empty());
    }

    /**
     * Copies a blob likewise.
     *
     * @param seal whether an append blob is to be sealed; empty for as it was
     */
    public CompletionStage<Copied> copy(
            Source source, BlobAddress target, Function<Blob, NewBlob> made, Optional<Boolean> seal) {
        return versions.retryIfReplaced(() -> find(source).thenCompose(original -> {
            if (seal.isPresent() && original.type() != BlobType.APPEND) {
                throw new StorageException(StorageError.INVALID_BLOB_TYPE);
            }
            Blob found = original.withSealed(seal.orElse(original.sealed()));
            NewBlob wanted = made.apply(found);
            return blobs.check(target, found.type(), wanted)
                    .thenCompose(allowed -> versions.in(
                            source.address(),
                            from -> versions.in(
                                    target,
                                    to -> copy(from, found, to, target.name().value(), wanted, source.url()))))
                    .exceptionallyCompose(Copies::ofTarget);
        }));
    }

    private CompletionStage<Copied> copy(long from, Blob source, long to, String name, NewBlob wanted, String url) {
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
                                        source.sealed(),
                                        Optional.of(new CopyState(
                                                UUID.randomUUID().toString(), url, content.length(), versions.now())),
                                        rehydrating(source, wanted))))
                        .thenApply(made -> new Copied(made, crc64(parts)))
                        .whenComplete((made, failure) -> {
                            if (failure == null) {
                                contents.keep(to, parts);
                            } else {
                                versions.release(to, name, parts, failure);
                            }
                        }));
    }

    /** A copy of what is archived is on its way out of the archive, unless it is to stay there. */
    private Optional<Tier> rehydrating(Blob source, NewBlob wanted) {
        long now = versions.now();
        String tier = wanted.tier().orElse(Tier.DEFAULT_NAME);
        return source.tier().at(now).isArchive() && !new Tier(tier, now).isArchive()
                ? Optional.of(Tier.leavingArchive(tier, wanted.priority(), now, rehydrationTicks))
                : Optional.empty();
    }

    private static long crc64(List<Part> parts) {
        long crc64 = 0;
        for (Part part : parts) {
            crc64 = Crc64.combine(crc64, part.crc64(), part.length());
        }
        return crc64;
    }

    /**
     * A source whose bytes were read.
     *
     * @param source that version of it and no other
     */
    public record Summed(Source source, byte[] md5) {}

    /** Reads all of the source, for somebody who knows what its checksum should be. */
    public CompletionStage<Summed> sum(Source source) {
        Digests digests = new Digests();
        return blobs.open(
                        source.address(),
                        source.snapshot(),
                        source.guard(),
                        blob -> new BlobService.Range(0, blob.length()))
                .exceptionallyCompose(failure -> ofSource(source, failure))
                .thenCompose(opened -> each(opened.reader(), piece -> {
                            digests.update(piece);
                            return CompletableFuture.completedFuture(null);
                        })
                        .whenComplete((read, failure) -> opened.reader().close())
                        .thenApply(read -> new Summed(source.asSeen(opened.blob()), digests.md5Digest())));
    }

    /** The source as it is, or what a caller is told who wants to copy it. */
    public CompletionStage<Blob> find(Source source) {
        return blobs.find(source.address(), source.snapshot(), source.guard())
                .exceptionallyCompose(failure -> ofSource(source, failure));
    }

    /** Takes in bytes of another blob as if they had been sent. */
    public CompletionStage<StagedContent> stage(
            Source source, BlobAddress target, Function<Blob, BlobService.Range> range, long bytesMax) {
        return blobs.open(source.address(), source.snapshot(), source.guard(), blob -> {
                    BlobService.Range wanted = range.apply(blob);
                    if (wanted.length() > bytesMax) {
                        throw new StorageException(StorageError.REQUEST_BODY_TOO_LARGE);
                    }
                    return wanted;
                })
                .exceptionallyCompose(failure -> ofSource(source, failure))
                .thenCompose(opened -> stage(opened.reader(), target)
                        .whenComplete((staged, failure) -> opened.reader().close()));
    }

    private CompletionStage<StagedContent> stage(BlobReader reader, BlobAddress target) {
        if (reader.remaining() <= BlobContents.INLINE_BYTES_MAX) {
            ByteBuffer small = ByteBuffer.allocate((int) reader.remaining());
            return fill(reader, small).thenApply(full -> StagedContent.inMemory(small.array(), 0, small.position()));
        }
        return blobs.upload(target, reader.remaining())
                .thenCompose(upload -> each(reader, upload::write)
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

    /** Hands on what is read piece by piece, each when the one before has been taken. */
    private static CompletionStage<Void> each(BlobReader reader, Function<ByteBuffer, CompletionStage<Void>> taker) {
        return AsyncLoop.from(
                ByteBuffer.allocate(PIECE_BYTES),
                buffer -> reader.read(buffer.clear()).thenCompose(read -> {
                    if (read == 0) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    return taker.apply(buffer.flip()).thenApply(taken -> Optional.of(buffer));
                }));
    }

    private static <T> CompletionStage<T> ofSource(Source source, Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof StorageException refusal) {
            return CompletableFuture.failedFuture(
                    switch (refusal.error()) {
                        case CONTAINER_NOT_FOUND, BLOB_NOT_FOUND ->
                            unverified(refusal, "The specified resource does not exist.");
                        case BLOB_ARCHIVED, BLOB_BEING_REHYDRATED -> unverified(refusal, refusal.text());
                        case CONDITION_NOT_MET, NOT_MODIFIED, UNSATISFIABLE_CONDITION ->
                            source.fetched
                                    ? new StorageException(StorageError.CANNOT_VERIFY_COPY_SOURCE)
                                            .withStatus(refusal.status())
                                    : new StorageException(StorageError.SOURCE_CONDITION_NOT_MET);
                        default -> refusal;
                    });
        }
        return CompletableFuture.failedFuture(cause);
    }

    /** The error for a source that cannot be read: it carries the status and the code that a reader would get. */
    public static StorageException unverified(StorageException refusal, String message) {
        return new StorageException(StorageError.CANNOT_VERIFY_COPY_SOURCE, message)
                .withStatus(refusal.status())
                .withHeader("x-ms-copy-source-status-code", Integer.toString(refusal.status()))
                .withHeader("x-ms-copy-source-error-code", refusal.error().code());
    }

    /** Conditions on the source have a code of their own, so it is the target that these are about. */
    private static <T> CompletionStage<T> ofTarget(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        boolean condition =
                cause instanceof StorageException refusal && refusal.error() == StorageError.CONDITION_NOT_MET;
        return CompletableFuture.failedFuture(
                condition ? new StorageException(StorageError.TARGET_CONDITION_NOT_MET) : cause);
    }
}
