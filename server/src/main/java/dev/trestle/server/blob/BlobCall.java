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
 * @param blobTarget empty for an operation on an account or a container
 * @param snapshot the time of a snapshot; empty for the blob itself
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

    /** Returns the name of a blob for authorization. */
    static String resource(BlobAddress address) {
        return address.container() + "/" + address.name();
    }
}
