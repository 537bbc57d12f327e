package dev.trestle.server.blob;

import dev.trestle.blob.BlobAddress;
import dev.trestle.model.ContainerName;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.Call;
import dev.trestle.server.pipeline.Request;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A call of an operation of the Blob service.
 *
 * @param target empty for an operation on the account
 * @param blobTarget empty for an operation on no single blob
 * @param snapshot which snapshot of the blob, empty for the blob itself
 */
record BlobCall(
        Request request,
        Grant grant,
        Optional<ContainerName> target,
        Optional<BlobAddress> blobTarget,
        OptionalLong snapshot)
        implements Call {

    String account() {
        return request.account();
    }

    ContainerName container() {
        return target.orElseThrow();
    }

    BlobAddress blob() {
        return blobTarget.orElseThrow();
    }

    /** The name of a blob as permissions know it. */
    static String resource(BlobAddress address) {
        return address.container() + "/" + address.name();
    }
}
