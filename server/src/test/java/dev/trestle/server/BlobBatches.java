package dev.trestle.server;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Writes batches of requests to the Blob service, signed by code that shares nothing with the code under test. */
final class BlobBatches {
    static final String VERSION = "x-ms-version: 2021-08-06";
    static final String DATE = "Mon, 02 Mar 2026 10:00:00 GMT";
    static final String ACCOUNT = "devstoreaccount1";

    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final Pattern DELIMITER =
            Pattern.compile("^--batchresponse_[-0-9a-f]+(--)?(\r\n|$)", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("x-ms-error-code: (\\w+)");

    /** The response to one request of a batch. */
    record Sub(String text) {
        int status() {
            int line = text.indexOf("HTTP/1.1 ");
            return Integer.parseInt(text.substring(line + 9, line + 12));
        }

        String id() {
            Matcher id = Pattern.compile("Content-ID: (.*)\r\n").matcher(text);
            return id.find() ? id.group(1) : "none";
        }

        String code() {
            Matcher code = CODE.matcher(text);
            return code.find() ? code.group(1) : "";
        }
    }

    private BlobBatches() {}

    /** A batch of these requests, each the line of a request with lines of headers. */
    static String batch(String... requests) {
        return IntStream.range(0, requests.length)
                        .mapToObj(i -> "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
                                + "Content-ID: " + i + "\r\n\r\n" + requests[i] + "\r\n")
                        .reduce("", String::concat)
                + "--b--\r\n";
    }

    static String delete(String target, String... headers) {
        return request("DELETE", target, headers);
    }

    static String tier(String target, String tier, String... headers) {
        List<String> all = new ArrayList<>(Arrays.asList(headers));
        all.add("x-ms-access-tier: " + tier);
        return request("PUT", target, all.toArray(String[]::new));
    }

    static String request(String method, String target, String... headers) {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("Content-Length: 0\r\n\r\n").toString();
    }

    /** Returns the Authorization header for a request with {@code x-ms-date} and no other signed header. */
    static String sharedKey(String method, String path) {
        return authorization(method + "\n".repeat(12) + "x-ms-date:" + DATE + "\n/" + ACCOUNT + path);
    }

    static String authorization(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return "Authorization: SharedKey " + ACCOUNT + ":"
                    + Base64.getEncoder().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a batch with the owner's signature. */
    static Answer send(GuardedServer server, String path, String batch, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of("Content-Type: multipart/mixed; boundary=b", VERSION));
        all.addAll(Arrays.asList(headers));
        return server.owner(Service.BLOB, "POST", path, batch, all.toArray(String[]::new));
    }

    /** The responses in the body of the response to a batch. */
    static List<Sub> subs(Answer answer) {
        if (answer.status() != 202) {
            throw new AssertionError(answer.toString());
        }
        return subs(answer.body());
    }

    static List<Sub> subs(String body) {
        return Arrays.stream(DELIMITER.split(body))
                .filter(text -> !text.isEmpty())
                .map(Sub::new)
                .toList();
    }
}
