package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with bearer authentication. */
class BearerServerTest {
    private static final String ISSUER = "https://sts.example.org/t/";
    private static final String AUDIENCE = "api://trestle";

    @TempDir
    private Path folder;

    private final ModelEngine engine = new ModelEngine(InstantSource.system());
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void a_token_of_the_issuer_opens_tables_and_queues() throws Exception {
        KeyPair keys = generate();
        try (TrestleServer server = start(Files.writeString(folder.resolve("keys.json"), document(keys)))) {
            for (String target : new String[] {
                "http://127.0.0.1:" + server.port(Service.TABLE) + "/devstoreaccount1/Tables",
                "http://127.0.0.1:" + server.port(Service.QUEUE) + "/devstoreaccount1/?comp=list"
            }) {
                assertThat(get(target, token(keys)).statusCode()).isEqualTo(200);
                HttpResponse<String> refused = get(target, token(generate()));
                assertThat(refused.statusCode()).isEqualTo(401);
                assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            }
        }
    }

    @Test
    void in_a_batch_of_requests_to_blobs_each_needs_a_token_of_its_own() throws Exception {
        KeyPair keys = generate();
        Path file = Files.writeString(folder.resolve("keys.json"), document(keys));
        Storage storage = new Storage(engine, EngineTelemetry.NONE, ModelContents::new);
        try (TrestleServer server = start(file, Map.of(Service.BLOB, 0), storage)) {
            String batch = BlobBatches.batch(
                    BlobBatches.delete("/files/a", "Authorization: Bearer " + token(keys)),
                    BlobBatches.delete("/files/a", "Authorization: Bearer " + token(generate())),
                    BlobBatches.delete("/files/a"));
            for (String path : new String[] {"/?comp=batch", "/files?restype=container&comp=batch"}) {
                HttpResponse<String> response = client.send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + server.port(Service.BLOB) + "/devstoreaccount1" + path))
                                .header("Authorization", "Bearer " + token(keys))
                                .header("x-ms-version", "2024-11-04")
                                .header("Content-Type", "multipart/mixed; boundary=b")
                                .POST(BodyPublishers.ofString(batch))
                                .build(),
                        BodyHandlers.ofString());

                assertThat(BlobBatches.subs(response.body()))
                        .extracting(BlobBatches.Sub::code)
                        .containsExactly(
                                "ContainerNotFound", "InvalidAuthenticationInfo", "NoAuthenticationInformation");
                assertThat(response.body()).contains("WWW-Authenticate: Bearer ");
            }
        }
    }

    @Test
    void the_source_of_a_blob_is_read_with_the_token_that_is_given_for_it() throws Exception {
        KeyPair keys = generate();
        Path file = Files.writeString(folder.resolve("keys.json"), document(keys));
        Storage storage = new Storage(engine, EngineTelemetry.NONE, ModelContents::new);
        try (TrestleServer server = start(file, Map.of(Service.BLOB, 0), storage)) {
            String files = "http://127.0.0.1:" + server.port(Service.BLOB) + "/devstoreaccount1/files";
            String type = "x-ms-blob-type: BlockBlob";
            String source = "x-ms-copy-source: " + files + "/source";
            String authorization = "x-ms-copy-source-authorization: Bearer ";
            assertThat(put(files + "?restype=container", keys, "").statusCode()).isEqualTo(201);
            assertThat(put(files + "/source", keys, "bytes", type).statusCode()).isEqualTo(201);
            HttpResponse<String> without = put(files + "/made", keys, "", type, source);
            assertThat(without.statusCode()).isEqualTo(401);
            HttpResponse<String> forged =
                    put(files + "/made", keys, "", type, source, authorization + token(generate()));
            assertThat(forged.headers().firstValue("x-ms-error-code")).contains("CannotVerifyCopySource");
            HttpResponse<String> made = put(files + "/made", keys, "", type, source, authorization + token(keys));
            assertThat(made.statusCode()).isEqualTo(201);
            assertThat(get(files + "/made", token(keys)).body()).isEqualTo("bytes");
        }
    }

    private HttpResponse<String> put(String target, KeyPair keys, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target))
                .header("Authorization", "Bearer " + token(keys))
                .header("x-ms-version", "2024-11-04")
                .PUT(BodyPublishers.ofString(body));
        for (String header : headers) {
            int colon = header.indexOf(':');
            request.header(header.substring(0, colon), header.substring(colon + 2));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void keys_that_cannot_be_used_stop_the_start_with_a_sentence() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.json"), "{}");
        Path missing = folder.resolve("missing.json");

        assertThatThrownBy(() -> start(broken))
                .isInstanceOf(ServerStartException.class)
                .hasMessage(
                        "The file " + broken + " cannot be used to check bearer tokens: it has no key with a kid for"
                                + " RS256 or ES256. Choose another with --bearer-keys.");
        assertThatThrownBy(() -> start(missing))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("it cannot be read");
    }

    private TrestleServer start(Path keys) {
        return start(keys, ServerConfig.FREE_PORTS, Storage.of(engine));
    }

    private static TrestleServer start(Path keys, Map<Service, Integer> ports, Storage storage) {
        return TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        ports,
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        false,
                        HttpConfig.DEFAULT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new BearerConfig(keys, ISSUER, AUDIENCE)),
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO),
                storage);
    }

    private HttpResponse<String> get(String target, String token) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(target))
                        .header("Authorization", "Bearer " + token)
                        .header("x-ms-version", "2024-11-04")
                        .header("Accept", "application/json")
                        .build(),
                BodyHandlers.ofString());
    }

    private static KeyPair generate() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String document(KeyPair keys) {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k\",\"n\":\""
                + base64(key.getModulus().toByteArray()) + "\",\"e\":\""
                + base64(key.getPublicExponent().toByteArray()) + "\"}]}";
    }

    private static String token(KeyPair keys) throws GeneralSecurityException {
        String claims = "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":"
                + (Instant.now().getEpochSecond() + 600) + "}";
        String signed = base64("{\"alg\":\"RS256\",\"kid\":\"k\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + base64(signature.sign());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
