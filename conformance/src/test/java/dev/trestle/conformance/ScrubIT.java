package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.TrestleProcess.Ended;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scrub as its users have it, of a server that runs and of one that is stopped. */
class ScrubIT {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
    private static final String VERSION = "2021-12-02";
    private static final int SMALL = 1000;
    private static final int LARGE = 300_000;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private void put(TrestleProcess server, String path, String query, byte[] content) throws Exception {
        URI uri = URI.create(server.blobEndpoint() + path + query);
        String date = HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
        String signed = "PUT\n\n\n\nx-ms-blob-type:BlockBlob\nx-ms-date:" + date + "\nx-ms-version:" + VERSION + "\n/"
                + TrestleProcess.ACCOUNT + uri.getRawPath();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(TrestleProcess.KEY), "HmacSHA256"));
        String signature = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("x-ms-blob-type", "BlockBlob")
                .header("x-ms-date", date)
                .header("x-ms-version", VERSION)
                .header("Authorization", "SharedKeyLite " + TrestleProcess.ACCOUNT + ":" + signature)
                .PUT(BodyPublishers.ofByteArray(content))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    /** Changes one byte in the middle of the only file that begins with this content. */
    private void damage(byte[] content) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found = files.filter(Files::isRegularFile)
                    .filter(file -> begins(file, content))
                    .toList();
            assertThat(found).hasSize(1);
            byte[] bytes = Files.readAllBytes(found.get(0));
            bytes[content.length / 2] ^= 1;
            Files.write(found.get(0), bytes);
        }
    }

    private static boolean begins(Path file, byte[] content) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return bytes.length >= content.length
                    && Arrays.equals(bytes, 0, content.length, content, 0, content.length);
        } catch (java.io.IOException e) {
            return false;
        }
    }

    @Test
    void a_changed_byte_is_found_and_the_blob_is_named() throws Exception {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            put(server, "/pictures", "?restype=container", new byte[0]);
            put(server, "/pictures/small", "", content(SMALL));
            put(server, "/pictures/summer/holiday.jpg", "", content(LARGE));
            String admin = "--admin=" + server.adminUrl();

            Ended sound = TrestleProcess.run("scrub", admin);
            assertThat(sound.output()).contains("Scrubbed 2 contents, 301,000 bytes: 0 damaged; 0 leftovers removed.");
            assertThat(sound.code()).isZero();

            damage(content(LARGE));
            assertDamageIsTold(TrestleProcess.run("scrub", admin));
            assertThat(TrestleProcess.run("scrub", admin, "--no-verify").code()).isZero();

            Ended inUse = TrestleProcess.run("scrub", "--data=" + folder);
            assertThat(inUse.code()).isEqualTo(1);
            assertThat(inUse.output()).doesNotContain("Scrubbed");
            server.stop();
        }
        assertDamageIsTold(TrestleProcess.run("scrub", "--data=" + folder));
    }

    private static void assertDamageIsTold(Ended scrub) {
        assertThat(scrub.output())
                .contains("Damaged: devstoreaccount1/pictures/summer/holiday.jpg: ")
                .contains("Scrubbed 2 contents, 301,000 bytes: 1 damaged");
        assertThat(scrub.code()).isEqualTo(1);
    }
}
