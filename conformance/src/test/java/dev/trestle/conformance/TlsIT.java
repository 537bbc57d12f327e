package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.conformance.TrestleProcess.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server with a certificate. */
class TlsIT {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeCertificate() throws IOException, InterruptedException, GeneralSecurityException {
        TestCertificate.in(folder);
    }

    private static TrestleProcess startServer() {
        return TrestleProcess.start(
                "--in-memory",
                "--tls-cert",
                folder.resolve("cert.pem").toString(),
                "--tls-key",
                folder.resolve("key.pem").toString());
    }

    private static HttpClient trustingClient(HttpClient.Version version) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(folder.resolve("cert.pem"))) {
            trusted.setCertificateEntry(
                    TestCertificate.ALIAS,
                    CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).version(version).build();
    }

    private static HttpRequest list(TrestleProcess server) {
        return signed(server, "/Tables", RawRequest.of("GET", "/Tables"));
    }

    private static HttpRequest signed(TrestleProcess server, String path, RawRequest raw) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server.endpoint() + path));
        RawRequest signed = raw.without("Host").without("Content-Length");
        signed.headers().stream()
                .filter(header -> !header.getKey().equals("Authorization"))
                .forEach(header -> builder.header(header.getKey(), header.getValue()));
        return builder.header("Authorization", Signature.sharedKeyLite(signed))
                .method(signed.method(), HttpRequest.BodyPublishers.ofByteArray(signed.body()))
                .build();
    }

    @Test
    void https_is_served_in_both_versions_of_http() throws Exception {
        try (TrestleProcess server = startServer()) {
            assertThat(server.endpoint()).startsWith("https://");
            assertThat(server.log()).contains("DefaultEndpointsProtocol=https;");
            for (HttpClient.Version version : HttpClient.Version.values()) {
                HttpResponse<String> answer =
                        trustingClient(version).send(list(server), HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.version()).isEqualTo(version);
                assertThat(answer.body())
                        .isEqualTo("{\"odata.metadata\":\"" + server.endpoint() + "/$metadata#Tables\",\"value\":[]}");
            }
        }
    }

    @Test
    void large_answers_come_whole_when_many_share_a_connection() throws Exception {
        try (TrestleProcess server = startServer()) {
            HttpClient client = trustingClient(HttpClient.Version.HTTP_2);
            HttpResponse.BodyHandler<String> text = HttpResponse.BodyHandlers.ofString();
            String table = "{\"TableName\":\"large\"}";
            client.send(
                    signed(server, "/Tables", RawRequest.of("POST", "/Tables").json(table)), text);
            String value = "x".repeat(30_000);
            for (int i = 0; i < 20; i++) {
                String entity = "{\"PartitionKey\":\"p\",\"RowKey\":\"" + i + "\",\"A\":\"" + value + "\"}";
                HttpResponse<String> inserted = client.send(
                        signed(server, "/large", RawRequest.of("POST", "/large").json(entity)), text);
                assertThat(inserted.statusCode()).isEqualTo(201);
            }
            HttpRequest query = signed(server, "/large()", RawRequest.of("GET", "/large()"));
            // The more often, the faster both sides are.
            for (int round = 0; round < 6; round++) {
                assertAllAnswered(IntStream.range(0, 50)
                        .mapToObj(i -> client.sendAsync(query, text))
                        .toList());
            }
        }
    }

    private static void assertAllAnswered(List<CompletableFuture<HttpResponse<String>>> answers) throws Exception {
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> page = answer.get(60, TimeUnit.SECONDS);
            assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).hasSizeGreaterThan(20 * 30_000).endsWith("]}");
        }
    }

    @Test
    void a_client_that_does_not_know_the_certificate_refuses_it() {
        try (TrestleProcess server = startServer()) {
            assertThatThrownBy(
                            () -> HttpClient.newHttpClient().send(list(server), HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void plain_http_is_not_served_beside_it() throws IOException {
        try (TrestleProcess server = startServer();
                RawConnection connection = new RawConnection(server)) {
            connection.send(RawRequest.of("GET", "/Tables").bytes());
            assertThat(connection.readToEnd()).doesNotContain("HTTP/1.1 200");
        }
    }

    @Test
    void a_certificate_that_is_none_stops_the_start() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.pem"), "no certificate");
        Ended ended = TrestleProcess.run(
                "serve",
                "--in-memory",
                "--table-port",
                "0",
                "--tls-cert",
                bad.toString(),
                "--tls-key",
                folder.resolve("key.pem").toString());
        assertThat(ended.code()).isIn(1, 2);
        assertThat(ended.output()).isNotEmpty().doesNotContain("\tat ");
    }
}
