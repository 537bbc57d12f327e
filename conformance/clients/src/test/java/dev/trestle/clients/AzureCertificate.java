package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/**
 * A self-signed certificate of {@code *.blob.core.windows.net} for two days, and its key, both in PEM.
 *
 * @param certificate its file
 * @param key likewise
 */
record AzureCertificate(Path certificate, Path key) {
    static AzureCertificate in(Path folder) {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Program.installed("openssl", "the Debian package openssl", folder)
                .run(
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=blob.core.windows.net",
                        "-addext",
                        "subjectAltName=DNS:*.blob.core.windows.net",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString());
        assertThat(List.of(certificate, key)).allMatch(file -> file.toFile().isFile());
        return new AzureCertificate(certificate, key);
    }
}
