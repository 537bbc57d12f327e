package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.LeaseDurationType;
import com.azure.storage.blob.models.LeaseStateType;
import com.azure.storage.blob.models.LeaseStatusType;
import com.azure.storage.blob.options.BlobBreakLeaseOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.specialized.BlobLeaseClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Leases of blobs and of containers, as locks. */
@ExtendWith(SharedServer.class)
class SdkLeasesIT {
    private final BlobContainerClient container;
    private final BlobClient blob;

    SdkLeasesIT(TrestleProcess server) {
        this.container = Sdk.newContainer(server);
        this.blob = container.getBlobClient("blob");
        blob.upload(BinaryData.fromString("text"));
    }

    private BlobLeaseClient lease() {
        return new BlobLeaseClientBuilder().blobClient(blob).buildClient();
    }

    private BlobLeaseClient lease(String id) {
        return new BlobLeaseClientBuilder().blobClient(blob).leaseId(id).buildClient();
    }

    private static BlobRequestConditions holding(String id) {
        return new BlobRequestConditions().setLeaseId(id);
    }

    private void write(String text, BlobRequestConditions conditions) {
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString(text)).setRequestConditions(conditions),
                null,
                null);
    }

    @Test
    void only_the_holder_writes_and_everybody_reads() {
        String etag = blob.getProperties().getETag();
        String id = lease().acquireLease(60);
        BlobProperties properties = blob.getProperties();
        assertThat(properties.getLeaseState()).isEqualTo(LeaseStateType.LEASED);
        assertThat(properties.getLeaseStatus()).isEqualTo(LeaseStatusType.LOCKED);
        assertThat(properties.getLeaseDuration()).isEqualTo(LeaseDurationType.FIXED);
        assertThat(properties.getETag()).isEqualTo(etag);

        Sdk.refused(412, "LeaseIdMissing", () -> blob.upload(BinaryData.fromString("no"), true));
        Sdk.refused(412, "LeaseIdMissing", () -> blob.setMetadata(Map.of("a", "b")));
        Sdk.refused(412, "LeaseIdMissing", blob::delete);
        String other = UUID.randomUUID().toString();
        Sdk.refused(412, "LeaseIdMismatchWithBlobOperation", () -> write("no", holding(other)));
        Sdk.refused(
                412,
                "LeaseIdMismatchWithBlobOperation",
                () -> blob.downloadContentWithResponse(null, holding(other), null, null));
        assertThat(blob.downloadContent()).hasToString("text");
        write("changed", holding(id));
        assertThat(blob.downloadContentWithResponse(null, holding(id), null, null)
                        .getValue())
                .hasToString("changed");
        assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseStateType.LEASED);
        blob.createSnapshot();
        blob.deleteWithResponse(DeleteSnapshotsOptionType.INCLUDE, holding(id), null, null);
        assertThat(blob.exists()).isFalse();
    }

    @Test
    void a_lease_is_acquired_by_one_renewed_changed_and_released() {
        String id = lease().acquireLease(15);
        Sdk.refused(409, "LeaseAlreadyPresent", () -> lease().acquireLease(15));
        BlobLeaseClient mine = lease(id);
        assertThat(mine.renewLease()).isEqualTo(id);
        String next = UUID.randomUUID().toString();
        assertThat(mine.changeLease(next)).isEqualTo(next);
        Sdk.refused(409, "LeaseIdMismatchWithLeaseOperation", () -> lease(id).renewLease());
        Sdk.refused(409, "LeaseIdMismatchWithLeaseOperation", () -> lease(id).releaseLease());
        mine.releaseLease();
        assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseStateType.AVAILABLE);
        Sdk.refused(412, "LeaseNotPresentWithBlobOperation", () -> write("no", holding(next)));
        write("free", new BlobRequestConditions());
        assertThat(lease(id).acquireLease(-1)).isEqualTo(id);
        assertThat(blob.getProperties().getLeaseDuration()).isEqualTo(LeaseDurationType.INFINITE);
        lease(id).releaseLease();
    }

    @Test
    void a_lease_is_broken_at_once_or_after_a_while() {
        String id = lease().acquireLease(-1);
        assertThat(lease().breakLeaseWithResponse(
                                new BlobBreakLeaseOptions().setBreakPeriod(Duration.ofSeconds(50)), null, null)
                        .getValue())
                .isBetween(48, 50);
        assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseStateType.BREAKING);
        Sdk.refused(412, "LeaseIdMissing", () -> blob.upload(BinaryData.fromString("no"), true));
        Sdk.refused(409, "LeaseIsBreakingAndCannotBeAcquired", () -> lease(id).acquireLease(15));
        Sdk.refused(409, "LeaseAlreadyPresent", () -> lease().acquireLease(15));
        Sdk.refused(
                409,
                "LeaseIsBreakingAndCannotBeChanged",
                () -> lease(id).changeLease(UUID.randomUUID().toString()));
        Sdk.refused(409, "LeaseIsBrokenAndCannotBeRenewed", () -> lease(id).renewLease());
        assertThat(lease().breakLeaseWithResponse(new BlobBreakLeaseOptions().setBreakPeriod(Duration.ZERO), null, null)
                        .getValue())
                .isZero();
        assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseStateType.BROKEN);
        assertThat(lease().breakLease()).isZero();
        blob.upload(BinaryData.fromString("free"), true);
        Sdk.refused(409, "LeaseNotPresentWithLeaseOperation", () -> lease().breakLease());
    }

    @Test
    void a_lease_lasts_15_to_60_seconds_or_for_ever() {
        for (int seconds : new int[] {0, 14, 61, -2}) {
            Sdk.refused(400, "InvalidHeaderValue", () -> lease().acquireLease(seconds));
        }
        Sdk.refused(
                404,
                "BlobNotFound",
                () -> new BlobLeaseClientBuilder()
                        .blobClient(container.getBlobClient("none"))
                        .buildClient()
                        .acquireLease(15));
    }

    @Test
    void a_lease_that_its_holder_left_ends_by_itself() {
        String id = lease().acquireLease(15);
        Deadline.await(
                () -> "the state is " + blob.getProperties().getLeaseState(),
                () -> LeaseStateType.EXPIRED.equals(blob.getProperties().getLeaseState()));
        Sdk.refused(412, "LeaseLost", () -> write("no", holding(id)));
        assertThat(lease(id).renewLease()).isEqualTo(id);
        lease(id).releaseLease();
        blob.upload(BinaryData.fromString("the next one"), true);
    }

    @Test
    void the_lease_of_a_container_keeps_it_from_being_deleted() {
        BlobLeaseClient lease =
                new BlobLeaseClientBuilder().containerClient(container).buildClient();
        String id = lease.acquireLease(60);
        assertThat(container.getProperties().getLeaseState()).isEqualTo(LeaseStateType.LEASED);
        blob.upload(BinaryData.fromString("blobs are not held"), true);
        Sdk.refused(412, "LeaseIdMissing", container::delete);
        Sdk.refused(
                412,
                "LeaseIdMismatchWithContainerOperation",
                () -> container.deleteWithResponse(holding(UUID.randomUUID().toString()), null, null));
        assertThat(lease.renewLease()).isEqualTo(id);
        lease.releaseLease();
        Sdk.refused(
                412,
                "LeaseNotPresentWithContainerOperation",
                () -> container.deleteWithResponse(holding(id), null, null));
        String last = lease.acquireLease(-1);
        container.deleteWithResponse(holding(last), null, null);
        assertThat(container.exists()).isFalse();
    }
}
