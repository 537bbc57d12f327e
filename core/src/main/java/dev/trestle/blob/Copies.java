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

/** Copies blobs within this server. */
public final class Copies {
    private static final int PIECE_BYTES = 256 * 1024;

    private final BlobVersions versions;
    private final BlobContents contents;
    private final BlobOpener opener;
    private final Uploads uploads;
    private final long rehydrationTicks;

    Copies(BlobVersions versions, BlobContents contents, BlobOpener opener, Uploads uploads, long rehydrationTicks) {
        this.rehydrationTicks = rehydrationTicks;
        this.versions = versions;
        this.contents = contents;
        this.opener = opener;
        this.uploads = uploads;
    }

    /**
     * The source of a copy.
     *
     * @param url as given by the client, without its signature
     * @param fetched whether the bytes are read from the URL as by a client; then failed conditions have the
     *     status that such a client gets
     */
    public record Source(
            BlobAddress address, OptionalLong snapshot, AccessConditions guard, String url, boolean fetched) {
        /** A source within the service. */
        public Source(BlobAddress address, OptionalLong snapshot, AccessConditions guard, String url) {
            this(address, snapshot, guard, url, false);
        }

        /** Returns this source, on condition that the blob still has this ETag. */
        private Source asSeen(Blob blob) {
            Conditions same = new Conditions(
                    List.of(BlobETag.format(blob.modified())), List.of(), OptionalLong.empty(), OptionalLong.empty());
            return new Source(address, snapshot, new AccessConditions(same, guard.lease()), url, fetched);
        }
    }

    /**
     * A finished copy.
     *
     * @param crc64 of its content
     */
    public record Copied(Blob blob, long crc64) {}

    /**
     * Copies a blob with its content, blocks, type and properties. The copy is complete when the stage completes.
     *
     * @param made returns the properties of the new blob, given the source
     */
    public CompletionStage<Copied> copy(Source source, BlobAddress target, Function<Blob, NewBlob> made) {
        return copy(source, target, made, Optional.empty());
    }

    /**
     * Like {@link #copy(Source, BlobAddress, Function)}, and seals an append blob.
     *
     * @param seal whether to seal the copy; empty to copy the state
     */
    public CompletionStage<Copied> copy(
            Source source, BlobAddress target, Function<Blob, NewBlob> made, Optional<Boolean> seal) {
        return versions.retryIfReplaced(() -> find(source).thenCompose(original -> {
            if (seal.isPresent() && original.type() != BlobType.APPEND) {
                throw new StorageException(StorageError.INVALID_BLOB_TYPE);
            }
            Blob found = original.withSealed(seal.orElse(original.sealed()));
            NewBlob wanted = made.apply(found);
            return versions.inContainer(
                            target, to -> versions.check(to, target.name().value(), found.type(), wanted))
                    .thenCompose(allowed -> versions.inContainer(
                            source.address(),
                            from -> versions.inContainer(
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

    /**
     * Returns the tier of a copy of an archived blob, which is being rehydrated unless the copy is archived too.
     */
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
     * The checksum of a source.
     *
     * @param source on condition that it has not changed since it was read
     */
    public record Summed(Source source, byte[] md5) {}

    /** Reads all bytes of a source and returns their checksum. */
    public CompletionStage<Summed> sum(Source source) {
        Digests digests = new Digests();
        return opener.open(
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

    /** Finds a source, or fails with the error of a copy. */
    public CompletionStage<Blob> find(Source source) {
        return opener.find(source.address(), source.snapshot(), source.guard())
                .exceptionallyCompose(failure -> ofSource(source, failure));
    }

    /** Stages bytes of another blob as if a client had sent them. */
    public CompletionStage<StagedContent> stage(
            Source source, BlobAddress target, Function<Blob, BlobService.Range> range, long bytesMax) {
        return opener.open(source.address(), source.snapshot(), source.guard(), blob -> {
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
        return uploads.start(target, reader.remaining())
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

    /** Reads piece by piece; the next piece is read when the consumer has completed the one before. */
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

    /**
     * Returns the error of a copy from an unreadable source, with the status and the code that a reader would get.
     */
    public static StorageException unverified(StorageException refusal, String message) {
        return new StorageException(StorageError.CANNOT_VERIFY_COPY_SOURCE, message)
                .withStatus(refusal.status())
                .withHeader("x-ms-copy-source-status-code", Integer.toString(refusal.status()))
                .withHeader("x-ms-copy-source-error-code", refusal.error().code());
    }

    /**
     * Replaces the code of a failed condition on the target. Conditions on the source have another code already.
     */
    private static <T> CompletionStage<T> ofTarget(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        boolean condition =
                cause instanceof StorageException refusal && refusal.error() == StorageError.CONDITION_NOT_MET;
        return CompletableFuture.failedFuture(
                condition ? new StorageException(StorageError.TARGET_CONDITION_NOT_MET) : cause);
    }
}
