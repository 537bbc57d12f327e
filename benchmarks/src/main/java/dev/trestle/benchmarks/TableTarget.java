package dev.trestle.benchmarks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The Table protocol's requests, signed with Shared Key Lite as the SDKs do. */
record TableTarget(int port) implements Target {
    static final String TABLE = "bench";
    private static final String ACCOUNT = "devstoreaccount1";
    private static final byte[] KEY = Base64.getDecoder()
            .decode("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");
    private static final byte[] NO_BODY = new byte[0];
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final ThreadLocal<Mac> MAC = ThreadLocal.withInitial(TableTarget::newMac);

    @Override
    public String name() {
        return "Trestle";
    }

    Call createTable() {
        return call(
                "POST",
                "/" + ACCOUNT + "/Tables",
                "",
                "Content-Type: application/json\r\n",
                "{\"TableName\":\"" + TABLE + "\"}",
                201);
    }

    @Override
    public Call pointRead(int partition, int row) {
        String path = "/" + ACCOUNT + "/" + TABLE + "(PartitionKey='" + Entities.partitionKey(partition) + "',RowKey='"
                + Entities.rowKey(row) + "')";
        return call("GET", path, "", "", "", 200);
    }

    @Override
    public Call insert(int partition, int row) {
        return call(
                "POST",
                "/" + ACCOUNT + "/" + TABLE,
                "",
                "Content-Type: application/json\r\nPrefer: return-no-content\r\n",
                Entities.json(partition, row),
                204);
    }

    @Override
    public Call transaction(int partition, int firstRow, int rows) {
        StringBuilder body = new StringBuilder(rows * 1100);
        body.append("--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n");
        for (int i = firstRow; i < firstRow + rows; i++) {
            body.append("--changeset_c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .append("POST http://127.0.0.1/" + ACCOUNT + "/" + TABLE + " HTTP/1.1\r\n")
                    .append("Content-Type: application/json\r\nAccept: application/json;odata=minimalmetadata\r\n")
                    .append("Prefer: return-no-content\r\nDataServiceVersion: 3.0\r\n\r\n")
                    .append(Entities.json(partition, i))
                    .append("\r\n");
        }
        body.append("--changeset_c--\r\n--batch_b--\r\n");
        return call(
                "POST",
                "/" + ACCOUNT + "/$batch",
                "",
                "Content-Type: multipart/mixed; boundary=batch_b\r\n",
                body.toString(),
                202);
    }

    @Override
    public Call page(int partition) {
        String filter = "?$filter=PartitionKey%20ge%20'" + Entities.partitionKey(partition) + "'";
        return call("GET", "/" + ACCOUNT + "/" + TABLE + "()", filter, "", "", 200);
    }

    private static Call call(String method, String path, String query, String headers, String body, int status) {
        byte[] bytes = body.isEmpty() ? NO_BODY : body.getBytes(StandardCharsets.UTF_8);
        String date = HTTP_DATE.format(Instant.now());
        String signature = Base64.getEncoder()
                .encodeToString(MAC.get().doFinal((date + "\n/" + ACCOUNT + path).getBytes(StandardCharsets.UTF_8)));
        String head = method + " " + path + query + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: SharedKeyLite "
                + ACCOUNT + ":" + signature + "\r\nx-ms-date: " + date
                + "\r\nx-ms-version: 2019-02-02\r\nDataServiceVersion: 3.0\r\n"
                + "Accept: application/json;odata=minimalmetadata\r\n" + headers
                + (bytes.length > 0 ? "Content-Length: " + bytes.length + "\r\n" : "") + "\r\n";
        return new Call(head, bytes, status);
    }

    private static Mac newMac() {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
