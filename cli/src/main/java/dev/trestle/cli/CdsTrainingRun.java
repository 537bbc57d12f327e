package dev.trestle.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import picocli.CommandLine.ExitCode;

/**
 * The training run for application class-data sharing (AppCDS): starts a server in memory, sends it the common requests,
 * and exits. The build runs it once and archives the classes it loaded; servers start in about half the time with that
 * archive.
 */
final class CdsTrainingRun {
    private static final Pattern ENDPOINT = Pattern.compile("Table endpoint\\s+(http://\\S+)");
    private static final int STEP_MILLIS = 20;
    private static final int ENTITIES = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String endpoint;

    private CdsTrainingRun(String endpoint) {
        this.endpoint = endpoint;
    }

    public static void main(String[] arguments) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Thread server = new Thread(() -> serve(new PrintStream(printed, true, StandardCharsets.UTF_8)), "server");
        server.setDaemon(true);
        server.start();
        while (server.isAlive() && !printed.toString(StandardCharsets.UTF_8).contains("Ready in")) {
            Thread.sleep(STEP_MILLIS);
        }
        Matcher endpoint = ENDPOINT.matcher(printed.toString(StandardCharsets.UTF_8));
        if (!endpoint.find()) {
            System.exit(ExitCode.SOFTWARE);
        }
        new CdsTrainingRun(endpoint.group(1)).requests();
        System.exit(ExitCode.OK);
    }

    private static void serve(PrintStream out) {
        ServerProcess process = new ServerProcess(out, System.nanoTime());
        new Main(Map.of(), out, System.err, process::run)
                .run("serve", "--in-memory", "--table-port=0", "--queue-port=0", "--blob-port=0", "--admin-port=0");
    }

    /** Inserts, point reads, a range, merges and an entity group transaction. */
    private void requests() throws IOException, InterruptedException, GeneralSecurityException {
        send("POST", "/Tables", "", "{\"TableName\":\"training\"}");
        for (int i = 0; i < ENTITIES; i++) {
            String key = String.format("%04d", i);
            send(
                    "POST",
                    "/training",
                    "",
                    "{\"PartitionKey\":\"p\",\"RowKey\":\"" + key + "\",\"Text\":\"some text\",\"Number\":" + i
                            + ",\"Ratio\":0.5}");
            String path = "/training(PartitionKey='p',RowKey='" + key + "')";
            send("GET", path, "", "");
            send("MERGE", path, "", "{\"Text\":\"other text\"}");
        }
        send("GET", "/training()", "?$filter=PartitionKey%20eq%20'p'%20and%20RowKey%20ge%20'0100'&$top=100", "");
        send("POST", "/$batch", "", transaction());
    }

    private String transaction() {
        StringBuilder body = new StringBuilder("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
        for (int i = 0; i < ENTITIES / 2; i++) {
            body.append("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST ")
                    .append(endpoint)
                    .append(
                            "/training HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"PartitionKey\":\"t\",\"RowKey\":\"")
                    .append(i)
                    .append("\"}\r\n");
        }
        return body.append("--c--\r\n--b--\r\n").toString();
    }

    private void send(String method, String path, String query, String body)
            throws IOException, InterruptedException, GeneralSecurityException {
        URI uri = URI.create(endpoint + path + query);
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        String account = AccountKeys.DEVELOPMENT.name();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(
                Base64.getDecoder().decode(AccountKeys.DEVELOPMENT.keys().get(0)), "HmacSHA256"));
        byte[] signature = mac.doFinal((date + "\n/" + account + uri.getRawPath()).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header(
                        "Authorization",
                        "SharedKeyLite " + account + ":" + Base64.getEncoder().encodeToString(signature))
                .header("x-ms-date", date)
                .header("x-ms-version", "2019-02-02")
                .header("DataServiceVersion", "3.0")
                .header("Accept", "application/json;odata=minimalmetadata")
                .header("Content-Type", path.equals("/$batch") ? "multipart/mixed; boundary=b" : "application/json")
                .build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status >= 300) {
            throw new IllegalStateException(method + " " + uri + " failed with status " + status);
        }
    }
}
