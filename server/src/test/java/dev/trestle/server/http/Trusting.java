package dev.trestle.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PfxOptions;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A certificate that is signed by nobody, and clients that take it. */
final class Trusting {
    private Trusting() {}

    static PfxOptions certificate() throws Exception {
        Path directory = Files.createTempDirectory("certificate");
        Path store = directory.resolve("store.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret",
                "-keystore",
                store.toString());
        int failed = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (failed != 0) {
            throw new AssertionError("keytool made no certificate");
        }
        Buffer bytes = Buffer.buffer(Files.readAllBytes(store));
        Files.delete(store);
        Files.delete(directory);
        return new PfxOptions().setValue(bytes).setPassword("secret");
    }

    static HttpClient client() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, new SecureRandom());
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
