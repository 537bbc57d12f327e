package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.UserDelegationKey;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** User delegation SAS with the official SDK: a bearer token gets a key, and the key signs for others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SdkDelegationIT {
    private static final String ISSUER = "https://sts.example.org/t/";
    private static final String AUDIENCE = "api://trestle";

    @TempDir
    private static Path folder;

    private final OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    private final KeyPair issuer = generate();
    private @Nullable TrestleProcess server;
    private @Nullable HttpClient trusting;

    @BeforeAll
    void start() throws IOException, InterruptedException, GeneralSecurityException {
        TestCertificate made = TestCertificate.in(folder);
        SslContext trust = SslContextBuilder.forClient()
                .trustManager(made.certificate().toFile())
                .build();
        trusting = new NettyAsyncHttpClientBuilder(
                        reactor.netty.http.client.HttpClient.create().secure(ssl -> ssl.sslContext(trust)))
                .build();
        server = TrestleProcess.start(
                "--in-memory",
                "--tls-cert",
                made.certificate().toString(),
                "--tls-key",
                made.key().toString(),
                "--bearer-keys",
                Files.writeString(folder.resolve("keys.json"), document(issuer)).toString(),
                "--bearer-issuer",
                ISSUER,
                "--bearer-audience",
                AUDIENCE);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String document(KeyPair keys) {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k\",\"n\":\""
                + base64(key.getModulus().toByteArray()) + "\",\"e\":\""
                + base64(key.getPublicExponent().toByteArray()) + "\"}]}";
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private TokenCredential signedBy(KeyPair keys) throws GeneralSecurityException {
        OffsetDateTime ends = now.plusMinutes(10);
        String signed = base64("{\"alg\":\"RS256\",\"kid\":\"k\"}") + "."
                + base64("{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":" + ends.toEpochSecond()
                        + ",\"oid\":\"11111111-2222-3333-4444-555555555555\""
                        + ",\"tid\":\"66666666-7777-8888-9999-000000000000\"}");
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        AccessToken token = new AccessToken(signed + "." + base64(signature.sign()), ends);
        return context -> Mono.just(token);
    }

    private BlobServiceClient serviceOf(KeyPair keys) throws GeneralSecurityException {
        return Sdk.blobService()
                .endpoint(Objects.requireNonNull(server).blobEndpoint())
                .credential(signedBy(keys))
                .httpClient(trusting)
                .buildClient();
    }

    private BlobContainerClient newContainer() throws GeneralSecurityException {
        return serviceOf(issuer).createBlobContainer(SharedServer.newContainerName());
    }

    private UserDelegationKey newKey() throws GeneralSecurityException {
        return serviceOf(issuer).getUserDelegationKey(now.minusMinutes(5), now.plusHours(1));
    }

    /** A client with no credential but the SAS. */
    private BlobContainerClient with(BlobContainerClient container, String sas) {
        return Sdk.container()
                .endpoint(Objects.requireNonNull(server).blobEndpoint())
                .containerName(container.getBlobContainerName())
                .sasToken(sas)
                .httpClient(trusting)
                .buildClient();
    }

    private static BlobServiceSasSignatureValues reading(OffsetDateTime until) {
        return new BlobServiceSasSignatureValues(until, new BlobSasPermission().setReadPermission(true));
    }

    @Test
    void what_is_signed_with_a_delegated_key_opens_what_it_names_and_no_more() throws GeneralSecurityException {
        BlobContainerClient container = newContainer();
        BlobClient photo = container.getBlobClient("emp/0099 ä.jpg");
        photo.upload(BinaryData.fromString("a photo"));
        container.getBlobClient("other").upload(BinaryData.fromString("another"));
        UserDelegationKey key = newKey();

        BlobContainerClient reader = with(
                container,
                photo.generateUserDelegationSas(reading(now.plusMinutes(30)).setContentType("image/jpeg"), key));
        BlobClient read = reader.getBlobClient("emp/0099 ä.jpg");
        assertThat(read.downloadContent()).hasToString("a photo");
        assertThat(read.getProperties().getContentType()).isEqualTo("image/jpeg");
        Sdk.refused(403, "AuthorizationPermissionMismatch", read::delete);
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> read.upload(BinaryData.fromString("mine"), true));
        Sdk.refused(
                403, "AuthenticationFailed", () -> reader.getBlobClient("other").downloadContent());
        assertThat(photo.downloadContent()).hasToString("a photo");
    }

    @Test
    void a_container_is_listed_with_a_delegated_key() throws GeneralSecurityException {
        BlobContainerClient container = newContainer();
        container.getBlobClient("a").upload(BinaryData.fromString("1"));
        UserDelegationKey key = newKey();
        BlobContainerClient lister = with(
                container,
                container.generateUserDelegationSas(
                        new BlobServiceSasSignatureValues(
                                now.plusMinutes(30), new BlobContainerSasPermission().setListPermission(true)),
                        key));
        assertThat(lister.listBlobs()).hasSize(1);
        Sdk.refused(
                403,
                "AuthorizationPermissionMismatch",
                () -> lister.getBlobClient("a").downloadContent());
    }

    @Test
    void neither_signature_nor_key_lasts_longer_than_the_key_was_given_for() throws GeneralSecurityException {
        BlobContainerClient container = newContainer();
        BlobClient blob = container.getBlobClient("a");
        blob.upload(BinaryData.fromString("1"));
        UserDelegationKey key = newKey();
        for (OffsetDateTime until : new OffsetDateTime[] {now.minusMinutes(1), now.plusHours(2)}) {
            String sas = blob.generateUserDelegationSas(reading(until), key);
            Sdk.refused(
                    403,
                    "AuthenticationFailed",
                    () -> with(container, sas).getBlobClient("a").downloadContent());
        }
        UserDelegationKey forged = new UserDelegationKey()
                .setSignedObjectId(key.getSignedObjectId())
                .setSignedTenantId(key.getSignedTenantId())
                .setSignedStart(key.getSignedStart())
                .setSignedExpiry(key.getSignedExpiry().plusHours(1))
                .setSignedService(key.getSignedService())
                .setSignedVersion(key.getSignedVersion())
                .setValue(key.getValue());
        String sas = blob.generateUserDelegationSas(reading(now.plusMinutes(30)), forged);
        Sdk.refused(
                403,
                "AuthenticationFailed",
                () -> with(container, sas).getBlobClient("a").downloadContent());
        BlobServiceClient service = serviceOf(issuer);
        Sdk.refused(400, "InvalidXmlNodeValue", () -> service.getUserDelegationKey(now, now.plusDays(8)));
    }

    @Test
    void a_token_of_somebody_else_gets_no_key() throws GeneralSecurityException {
        BlobServiceClient stranger = serviceOf(generate());
        Sdk.refused(401, "InvalidAuthenticationInfo", () -> stranger.getUserDelegationKey(now, now.plusHours(1)));
    }
}
