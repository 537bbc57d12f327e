package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate of this machine for two days and its key, made with nothing but the JDK.
 *
 * @param certificate the PEM file of it
 * @param key likewise
 */
record TestCertificate(Path certificate, Path key) {
    static final String ALIAS = "server";

    private static final String PASSWORD = "for-this-test";

    static TestCertificate in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(
                writePem(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate(ALIAS).getEncoded()),
                writePem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path writePem(Path file, String label, byte[] content) throws IOException {
        String text = "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + label + "-----\n";
        return Files.writeString(file, text);
    }
}
