package dev.trestle.server.http;

import dev.trestle.server.ServerConfig.TlsFiles;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A self-signed certificate, and clients that trust it. */
public final class Trusting {
    private static final String ALIAS = "server";
    private static final String PASSWORD = "secret";

    private Trusting() {}

    static PfxOptions certificate() throws Exception {
        Path directory = Files.createTempDirectory("certificate");
        Path store = makeStore(directory);
        Buffer bytes = Buffer.buffer(Files.readAllBytes(store));
        Files.delete(store);
        Files.delete(directory);
        return new PfxOptions().setValue(bytes).setPassword(PASSWORD);
    }

    /** The same as the files that a server is given. */
    public static TlsFiles pem(Path folder) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(makeStore(folder))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        byte[] key = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        return new TlsFiles(
                writePem(folder, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
                writePem(folder, "PRIVATE KEY", key));
    }

    private static Path writePem(Path folder, String label, byte[] content) throws IOException {
        String text = "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + label + "-----\n";
        return Files.writeString(folder.resolve(label + ".pem"), text);
    }

    private static Path makeStore(Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString());
        int failed = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (failed != 0) {
            throw new AssertionError("keytool made no certificate");
        }
        return store;
    }

    static HttpClient client() throws Exception {
        return HttpClient.newBuilder().sslContext(context()).build();
    }

    /** What a client needs to connect. */
    public static SSLContext context() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, new SecureRandom());
        return context;
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
