package dev.trestle.conformance;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of the development account, made apart from the server's own code so that both can be wrong only once. */
final class Signature {
    private Signature() {}

    static String sharedKey(RawRequest request) {
        String text = String.join(
                "\n",
                request.method(),
                request.header("Content-MD5").orElse(""),
                request.header("Content-Type").orElse(""),
                date(request),
                resource(request));
        return "SharedKey " + TrestleProcess.ACCOUNT + ":" + hmac(text);
    }

    static String sharedKeyLite(RawRequest request) {
        return "SharedKeyLite " + TrestleProcess.ACCOUNT + ":" + hmac(date(request) + "\n" + resource(request));
    }

    private static String date(RawRequest request) {
        return request.header("x-ms-date").or(() -> request.header("Date")).orElse("");
    }

    /** The account, the path exactly as sent, and of the query only {@code comp}. */
    private static String resource(RawRequest request) {
        String target = request.target();
        int scheme = target.indexOf("://");
        if (scheme >= 0) {
            target = target.substring(target.indexOf('/', scheme + 3));
        }
        String[] parts = target.split("\\?", 2);
        String comp = "";
        if (parts.length == 2) {
            for (String parameter : parts[1].split("&", -1)) {
                if (parameter.startsWith("comp=")) {
                    comp = "?" + parameter;
                }
            }
        }
        return "/" + TrestleProcess.ACCOUNT + parts[0] + comp;
    }

    static String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(TrestleProcess.KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java has HmacSHA256", e);
        }
    }
}
