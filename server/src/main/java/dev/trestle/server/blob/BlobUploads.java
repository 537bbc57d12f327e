package dev.trestle.server.blob;

import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Upload;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestBody;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Receives the body of a request: a small one in memory, a larger one in the content store as it arrives. */
final class BlobUploads {
    private final BlobService blobs;

    BlobUploads(BlobService blobs) {
        this.blobs = blobs;
    }

    /** Receives a body and verifies its checksums. */
    CompletionStage<StagedContent> take(Request request, BlobAddress address, long bytesMax, ContentChecksums checks) {
        RequestBody body = request.content();
        if (body.isAbsent()) {
            throw new StorageException(StorageError.MISSING_CONTENT_LENGTH_HEADER);
        }
        OptionalLong declared = body.declaredLength();
        if (declared.orElse(0) > bytesMax) {
            throw tooLarge(bytesMax);
        }
        CompletionStage<StagedContent> staged = declared.isPresent()
                        && declared.getAsLong() <= StagedContent.IN_MEMORY_BYTES_MAX
                ? body.collect(StagedContent.IN_MEMORY_BYTES_MAX)
                        .thenApply(bytes -> StagedContent.inMemory(bytes.array(), 0, bytes.length()))
                : blobs.upload(address, declared.orElse(0)).thenCompose(upload -> stream(body, upload, bytesMax));
        return staged.thenCompose(whole -> blobs.checked(whole, checks::verify));
    }

    private static CompletionStage<StagedContent> stream(RequestBody body, Upload upload, long bytesMax) {
        AtomicLong taken = new AtomicLong();
        return body.drain(piece -> {
                    if (taken.addAndGet(piece.remaining()) > bytesMax) {
                        throw tooLarge(bytesMax);
                    }
                    return upload.write(piece);
                })
                .thenCompose(length -> upload.finish())
                .whenComplete((staged, failure) -> {
                    if (failure != null) {
                        upload.abandon();
                    }
                });
    }

    static StorageException tooLarge(long bytesMax) {
        return new StorageException(StorageError.REQUEST_BODY_TOO_LARGE).with("MaxLimit", Long.toString(bytesMax));
    }
}
