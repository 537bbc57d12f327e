package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobAccessPolicy;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.blob.models.BlobSignedIdentifier;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.blob.specialized.BlobClientBase;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.SasIpRange;
import com.azure.storage.common.sas.SasProtocol;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys, signatures made by the SDK, stored access policies and public access, all of blobs. */
@ExtendWith(SharedServer.class)
class SdkBlobAccessIT {
    private static final String PERMISSION = "AuthorizationPermissionMismatch";
    private static final String FAILURE = "AuthorizationFailure";
    private static final String AUTHENTICATION = "AuthenticationFailed";

    private final TrestleProcess server;
    private final BlobServiceClient service;
    private final BlobContainerClient container;
    private final BlobClient blob;

    SdkBlobAccessIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.blobService(server);
        this.container = Sdk.newContainer(server);
        this.blob = container.getBlobClient("emp/0099.jpg");
        blob.upload(BinaryData.fromString("text"));
    }

    private BlobContainerClient with(String sas) {
        return Sdk.container()
                .endpoint(container.getBlobContainerUrl())
                .sasToken(sas)
                .buildClient();
    }

    private BlobServiceClient serviceWith(String sas) {
        return Sdk.blobService().endpoint(server.blobEndpoint()).sasToken(sas).buildClient();
    }

    private static BlobServiceSasSignatureValues ofContainer(String permissions) {
        return new BlobServiceSasSignatureValues(Sdk.inMinutes(10), BlobContainerSasPermission.parse(permissions));
    }

    private static BlobServiceSasSignatureValues ofBlob(String permissions) {
        return new BlobServiceSasSignatureValues(Sdk.inMinutes(10), BlobSasPermission.parse(permissions));
    }

    private BlobClient blobWith(BlobServiceSasSignatureValues sas) {
        return with(blob.generateSas(sas)).getBlobClient(blob.getBlobName());
    }

    private static BlobSignedIdentifier policy(String id, String permissions, int minutes) {
        return new BlobSignedIdentifier()
                .setId(id)
                .setAccessPolicy(new BlobAccessPolicy()
                        .setStartsOn(Sdk.inMinutes(-10))
                        .setExpiresOn(Sdk.inMinutes(minutes))
                        .setPermissions(permissions));
    }

    private static void list(BlobContainerClient container) {
        assertThat(container.listBlobs().stream().count()).isPositive();
    }

    @Test
    void a_wrong_key_is_refused_and_both_right_ones_are_not() {
        BlobServiceClient wrong = Sdk.blobService()
                .endpoint(server.blobEndpoint())
                .credential(new StorageSharedKeyCredential(TrestleProcess.ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        Sdk.refused(403, AUTHENTICATION, () -> wrong.createBlobContainer(SharedServer.newContainerName()));
        String name = SharedServer.newContainerName();
        Sdk.otherBlobService(server, SharedServer.OTHER_KEY_1)
                .createBlobContainer(name)
                .getBlobClient("b")
                .upload(BinaryData.fromString("theirs"));
        BlobClient second = Sdk.otherBlobService(server, SharedServer.OTHER_KEY_2)
                .getBlobContainerClient(name)
                .getBlobClient("b");
        assertThat(second.downloadContent()).hasToString("theirs");
        assertThat(service.getBlobContainerClient(name).exists()).isFalse();
    }

    @Test
    void a_blob_sas_allows_what_it_says() {
        BlobClient reader = blobWith(ofBlob("r"));
        assertThat(reader.downloadContent()).hasToString("text");
        assertThat(reader.getProperties().getBlobSize()).isEqualTo(4);
        Sdk.refused(403, PERMISSION, () -> reader.upload(BinaryData.fromString("no"), true));
        Sdk.refused(403, PERMISSION, reader::delete);
        Sdk.refused(403, PERMISSION, () -> reader.setMetadata(Map.of("a", "b")));
        Sdk.refused(403, PERMISSION, reader::createSnapshot);

        BlobClient writer = blobWith(ofBlob("w"));
        writer.upload(BinaryData.fromString("written"), true);
        writer.setMetadata(Map.of("a", "b"));
        Sdk.refused(403, PERMISSION, writer::downloadContent);
        Sdk.refused(403, PERMISSION, writer::delete);

        BlobClient deleter = blobWith(ofBlob("d"));
        Sdk.refused(403, PERMISSION, deleter::downloadContent);
        deleter.delete();
        assertThat(blob.exists()).isFalse();
    }

    @Test
    void a_signature_to_create_does_not_overwrite() {
        BlobClient creator = blobWith(ofBlob("c"));
        Sdk.refused(403, "UnauthorizedBlobOverwrite", () -> creator.upload(BinaryData.fromString("no"), true));
        assertThat(blob.downloadContent()).hasToString("text");
        blob.delete();
        creator.upload(BinaryData.fromString("made"), true);
        assertThat(blob.downloadContent()).hasToString("made");
    }

    @Test
    void a_signature_to_add_only_appends() {
        BlobClient log = container.getBlobClient("log");
        log.getAppendBlobClient().create();
        var adder = with(log.generateSas(ofBlob("a"))).getBlobClient("log");
        adder.getAppendBlobClient().appendBlock(new ByteArrayInputStream(new byte[3]), 3);
        Sdk.refused(403, PERMISSION, adder::downloadContent);
        Sdk.refused(403, PERMISSION, () -> adder.getAppendBlobClient().create(true));
        assertThat(log.getProperties().getBlobSize()).isEqualTo(3);
    }

    @Test
    void a_blob_sas_is_for_its_blob_only() {
        container.getBlobClient("sibling").upload(BinaryData.fromString("other"));
        String sas = blob.generateSas(ofBlob("racwd"));
        Sdk.refused(
                403, AUTHENTICATION, () -> with(sas).getBlobClient("sibling").downloadContent());
        assertThat(List.of(AUTHENTICATION, FAILURE)).contains(codeOf(() -> list(with(sas))));
    }

    private static String codeOf(Runnable call) {
        try {
            call.run();
            return "not refused";
        } catch (BlobStorageException e) {
            return e.getErrorCode().toString();
        }
    }

    @Test
    void a_container_sas_lists_or_reads_as_it_says() {
        BlobContainerClient lister = with(container.generateSas(ofContainer("l")));
        list(lister);
        Sdk.refused(
                403, PERMISSION, () -> lister.getBlobClient(blob.getBlobName()).downloadContent());
        BlobContainerClient reader = with(container.generateSas(ofContainer("r")));
        assertThat(reader.getBlobClient(blob.getBlobName()).downloadContent()).hasToString("text");
        Sdk.refused(403, PERMISSION, () -> list(reader));
        BlobContainerClient all = with(container.generateSas(ofContainer("racwdl")));
        all.getBlobClient("new").upload(BinaryData.fromString("new"));
        Sdk.refused(403, FAILURE, all::delete);
        Sdk.refused(403, FAILURE, () -> all.setMetadata(Map.of("a", "b")));
        Sdk.refused(403, FAILURE, all::getAccessPolicy);
        BlobContainerClient other = Sdk.newContainer(server);
        String sas = other.generateSas(ofContainer("racwdl"));
        Sdk.refused(403, AUTHENTICATION, () -> list(with(sas)));
    }

    @Test
    void a_snapshot_sas_is_for_that_snapshot() {
        BlobClientBase snapshot = blob.createSnapshot();
        blob.upload(BinaryData.fromString("later"), true);
        String sas = snapshot.generateSas(ofBlob("r"));
        assertThat(with(sas)
                        .getBlobClient(blob.getBlobName())
                        .getSnapshotClient(snapshot.getSnapshotId())
                        .downloadContent())
                .hasToString("text");
        Sdk.refused(
                403,
                AUTHENTICATION,
                () -> with(sas).getBlobClient(blob.getBlobName()).downloadContent());
    }

    @Test
    void a_signature_holds_for_its_time_its_protocol_and_its_addresses() {
        Sdk.refused(
                403,
                AUTHENTICATION,
                () -> blobWith(ofBlob("r").setExpiryTime(Sdk.inMinutes(-1))).downloadContent());
        Sdk.refused(
                403,
                AUTHENTICATION,
                () -> blobWith(ofBlob("r").setStartTime(Sdk.inMinutes(5))).downloadContent());
        Sdk.refused(
                403,
                "AuthorizationProtocolMismatch",
                () -> blobWith(ofBlob("r").setProtocol(SasProtocol.HTTPS_ONLY)).downloadContent());
        Sdk.refused(
                403,
                "AuthorizationSourceIPMismatch",
                () -> blobWith(ofBlob("r").setSasIpRange(SasIpRange.parse("10.1.2.3")))
                        .downloadContent());
        assertThat(blobWith(ofBlob("r")
                                .setStartTime(Sdk.inMinutes(-5))
                                .setProtocol(SasProtocol.HTTPS_HTTP)
                                .setSasIpRange(SasIpRange.parse("127.0.0.1-127.0.0.9")))
                        .downloadContent())
                .hasToString("text");
    }

    @Test
    void a_signature_may_say_how_the_blob_is_described() {
        var headers = blobWith(ofBlob("r")
                        .setContentType("image/jpeg")
                        .setContentDisposition("attachment; filename=\"a b.jpg\"")
                        .setCacheControl("no-store")
                        .setContentEncoding("identity")
                        .setContentLanguage("fr"))
                .downloadContentWithResponse(null, null, null, null)
                .getDeserializedHeaders();
        assertThat(headers.getContentType()).isEqualTo("image/jpeg");
        assertThat(headers.getContentDisposition()).isEqualTo("attachment; filename=\"a b.jpg\"");
        assertThat(headers.getCacheControl()).isEqualTo("no-store");
        assertThat(headers.getContentEncoding()).isEqualTo("identity");
        assertThat(headers.getContentLanguage()).isEqualTo("fr");
        assertThat(blob.getProperties().getContentType()).isEqualTo("application/octet-stream");
    }

    @Test
    void stored_policies_are_returned_as_they_were_set_and_have_their_limits() {
        assertThat(container.getAccessPolicy().getIdentifiers()).isNullOrEmpty();
        container.setAccessPolicy(null, List.of(policy("one", "racwdl", 10), new BlobSignedIdentifier().setId("two")));
        List<BlobSignedIdentifier> stored = container.getAccessPolicy().getIdentifiers();
        assertThat(stored).extracting(BlobSignedIdentifier::getId).containsExactly("one", "two");
        assertThat(stored.get(0).getAccessPolicy().getPermissions()).isEqualTo("racwdl");
        List<BlobSignedIdentifier> six =
                IntStream.range(0, 6).mapToObj(i -> policy("id" + i, "r", 10)).toList();
        Sdk.refused(400, "InvalidXmlDocument", () -> container.setAccessPolicy(null, six));
        Sdk.refused(400, "InvalidXmlDocument", () -> container.setAccessPolicy(null, List.of(policy("id", "?", 10))));
        assertThat(container.getAccessPolicy().getIdentifiers()).hasSize(2);
    }

    @Test
    void a_signature_by_policy_ends_with_the_policy() {
        container.setAccessPolicy(null, List.of(policy("reading", "r", 10)));
        BlobClient reader = with(container.generateSas(new BlobServiceSasSignatureValues("reading")))
                .getBlobClient(blob.getBlobName());
        assertThat(reader.downloadContent()).hasToString("text");
        Sdk.refused(403, PERMISSION, () -> reader.upload(BinaryData.fromString("no"), true));
        container.setAccessPolicy(null, List.of(policy("reading", "w", 10)));
        reader.upload(BinaryData.fromString("now it may"), true);
        Sdk.refused(403, PERMISSION, reader::downloadContent);
        container.setAccessPolicy(null, List.of(policy("reading", "r", -1)));
        Sdk.refused(403, AUTHENTICATION, reader::downloadContent);
        container.setAccessPolicy(null, List.of(policy("renamed", "r", 10)));
        Sdk.refused(403, AUTHENTICATION, reader::downloadContent);
        container.setAccessPolicy(null, List.of());
        Sdk.refused(403, AUTHENTICATION, reader::downloadContent);
    }

    @Test
    void an_account_sas_opens_the_kinds_of_things_it_names() {
        String type = "AuthorizationResourceTypeMismatch";
        BlobServiceClient objects = serviceWith(service.generateAccountSas(Sdk.accountSas("rwdlac", "b", "o")));
        BlobContainerClient within = objects.getBlobContainerClient(container.getBlobContainerName());
        within.getBlobClient("made").upload(BinaryData.fromString("made"));
        assertThat(within.getBlobClient("made").downloadContent()).hasToString("made");
        within.getBlobClient("made").delete();
        Sdk.refused(403, type, () -> list(within));
        Sdk.refused(403, type, within::getProperties);
        Sdk.refused(403, type, () -> objects.listBlobContainers().stream().count());

        BlobServiceClient containers = serviceWith(service.generateAccountSas(Sdk.accountSas("rwdlac", "b", "c")));
        BlobContainerClient created = containers.createBlobContainer(SharedServer.newContainerName());
        created.setMetadata(Map.of("a", "b"));
        assertThat(created.listBlobs()).isEmpty();
        Sdk.refused(403, type, () -> created.getBlobClient("b").upload(BinaryData.fromString("no"), true));
        Sdk.refused(403, FAILURE, created::getAccessPolicy);
        created.delete();

        BlobServiceClient whole = serviceWith(service.generateAccountSas(Sdk.accountSas("rl", "b", "s")));
        assertThat(whole.listBlobContainers().stream().limit(1)).hasSize(1);
        assertThat(whole.getProperties()).isNotNull();
        Sdk.refused(403, PERMISSION, () -> whole.setProperties(new BlobServiceProperties()));
        Sdk.refused(
                403,
                "AuthorizationServiceMismatch",
                () ->
                        serviceWith(service.generateAccountSas(Sdk.accountSas("rl", "qt", "sco")))
                                .listBlobContainers()
                                .stream()
                                .count());
    }

    @Test
    void nothing_is_public_unless_the_server_permits_it() {
        Sdk.refused(409, "PublicAccessNotPermitted", () -> container.setAccessPolicy(PublicAccessType.BLOB, List.of()));
        Sdk.refused(
                409,
                "PublicAccessNotPermitted",
                () -> service.createBlobContainerWithResponse(
                        SharedServer.newContainerName(), null, PublicAccessType.CONTAINER, null));
        Sdk.refused(
                401,
                "NoAuthenticationInformation",
                () -> anonymous(blob.getBlobUrl()).downloadContent());
    }

    private static BlobClient anonymous(String url) {
        return new BlobClientBuilder()
                .retryOptions(Sdk.noRetries())
                .endpoint(url)
                .buildClient();
    }

    @Test
    void a_server_that_permits_it_opens_blobs_or_containers_to_everybody() {
        try (TrestleProcess open = TrestleProcess.start("--in-memory", "--public-access")) {
            BlobServiceClient owner = Sdk.blobService(open);
            BlobContainerClient blobs = owner.createBlobContainerWithResponse(
                            "blobs", null, PublicAccessType.BLOB, null)
                    .getValue();
            BlobContainerClient all = owner.createBlobContainer("all");
            all.setAccessPolicy(PublicAccessType.CONTAINER, List.of());
            assertThat(all.getProperties().getBlobPublicAccess()).isEqualTo(PublicAccessType.CONTAINER);
            BlobContainerClient hidden = owner.createBlobContainer("hidden");
            for (BlobContainerClient each : List.of(blobs, all, hidden)) {
                each.getBlobClient("a").upload(BinaryData.fromString("text"));
            }
            assertThat(anonymous(blobs.getBlobClient("a").getBlobUrl()).downloadContent())
                    .hasToString("text");
            assertThat(anonymous(all.getBlobClient("a").getBlobUrl()).downloadContent())
                    .hasToString("text");
            Sdk.refused(
                    401,
                    "NoAuthenticationInformation",
                    () -> anonymous(hidden.getBlobClient("a").getBlobUrl()).downloadContent());
            list(anonymousContainer(all));
            assertThat(anonymousContainer(all).getProperties()).isNotNull();
            Sdk.refused(401, "NoAuthenticationInformation", () -> list(anonymousContainer(blobs)));
            assertThat(codeOf(
                            () -> anonymous(all.getBlobClient("a").getBlobUrl()).delete()))
                    .isNotEqualTo("not refused");
            assertThat(codeOf(() -> anonymousContainer(all).getAccessPolicy())).isNotEqualTo("not refused");
            all.setAccessPolicy(null, List.of());
            Sdk.refused(401, "NoAuthenticationInformation", () -> list(anonymousContainer(all)));
        }
    }

    private static BlobContainerClient anonymousContainer(BlobContainerClient container) {
        return Sdk.container().endpoint(container.getBlobContainerUrl()).buildClient();
    }
}
