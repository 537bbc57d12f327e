package dev.trestle.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with the Shared Key Lite scheme. Confined to one connection: it formats the date once a second, and reuses
 * the signature while the path stays the same.
 */
final class SharedKeyLite {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final String account;
    private final Mac mac;
    private final InstantSource clock;
    private long second = Long.MIN_VALUE;
    private String date = "";
    private String path = "";
    private String headers = "";

    SharedKeyLite(Credential.AccountKey credential, InstantSource clock) {
        this.account = credential.account();
        this.clock = clock;
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(credential.key(), "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing", e);
        }
    }

    /** Returns the headers that sign a request to the Table service; the path begins with the account in path style. */
    String headers(String requestPath) {
        long now = Math.floorDiv(clock.millis(), 1000);
        if (now == second && requestPath.equals(path)) {
            return headers;
        }
        tell(now);
        path = requestPath;
        headers = signed(date + "\n/" + account + path);
        return headers;
    }

    /**
     * Returns the headers that sign a request to the Queue or Blob service.
     *
     * @param header an {@code x-ms-} header that sorts before the date, without blanks, or an empty text
     * @param resource the path and the parameter comp, if there is one
     */
    String headers(String method, String contentType, String header, String version, String resource) {
        tell(Math.floorDiv(clock.millis(), 1000));
        return signed(method + "\n\n" + contentType + "\n\n" + (header.isEmpty() ? "" : header + "\n") + "x-ms-date:"
                + date + "\nx-ms-version:" + version + "\n/" + account + resource);
    }

    private void tell(long now) {
        if (now != second) {
            second = now;
            date = HTTP_DATE.format(Instant.ofEpochSecond(now));
        }
    }

    private String signed(String text) {
        byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return "Authorization: SharedKeyLite " + account + ":"
                + Base64.getEncoder().encodeToString(signature) + "\r\nx-ms-date: " + date + "\r\n";
    }
}
