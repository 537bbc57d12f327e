package dev.trestle.patterns.access;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.credential.AzureNamedKeyCredential;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs shared access signatures for key ranges of a table, so that each user of an application can access only their own
 * entities. Signing sends no request; a signature cannot be revoked before it expires, except by changing the account key.
 * Thread-safe.
 *
 * <pre>{@code
 * TableAccess access = TableAccess.to("expenses", new AzureNamedKeyCredential(accountName, accountKey));
 * String sas = access.sign(
 *         KeyRange.partition("000223"), Rights.readOnly(), Instant.now().plus(Duration.ofHours(1)));
 * }</pre>
 *
 * <p>The SDK can sign only ranges with row keys at both ends; this class also signs whole partitions.
 */
public final class TableAccess {
    private static final String VERSION = "2019-02-02";
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final AzureNamedKeyCredential account;
    private final String table;
    private final String protocol;

    private TableAccess(AzureNamedKeyCredential account, String table, String protocol) {
        this.account = account;
        this.table = table;
        this.protocol = protocol;
    }

    /** Returns the signer for a table of an account; its signatures require https. */
    public static TableAccess to(String table, AzureNamedKeyCredential account) {
        return new TableAccess(account, table, "https");
    }

    /** Returns a signer whose signatures allow http too, for servers without TLS. */
    public TableAccess alsoOverHttp() {
        return new TableAccess(account, table, "https,http");
    }

    /** The permissions of a signature. */
    public record Rights(boolean read, boolean add, boolean update, boolean delete) {
        public static Rights readOnly() {
            return new Rights(true, false, false, false);
        }

        public static Rights all() {
            return new Rights(true, true, true, true);
        }

        String letters() {
            return (read ? "r" : "") + (add ? "a" : "") + (update ? "u" : "") + (delete ? "d" : "");
        }
    }

    /** Returns a signature for a key range that expires at a time, for use as an {@code AzureSasCredential}. */
    public String sign(KeyRange range, Rights rights, Instant until) {
        if (rights.letters().isEmpty()) {
            throw new IllegalArgumentException("The signature needs at least one right");
        }
        String expiry = SECONDS.format(until);
        Map<String, String> query = new LinkedHashMap<>();
        query.put("sv", VERSION);
        query.put("tn", table);
        query.put("sp", rights.letters());
        query.put("se", expiry);
        query.put("spr", protocol);
        put(query, "spk", range.startPartitionKey());
        put(query, "srk", range.startRowKey());
        put(query, "epk", range.endPartitionKey());
        put(query, "erk", range.endRowKey());
        query.put("sig", signature(stringToSign(range, rights, expiry)));
        return query.entrySet().stream()
                .map(part -> part.getKey() + "=" + encoded(part.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static void put(Map<String, String> query, String name, Optional<String> value) {
        value.ifPresent(present -> query.put(name, present));
    }

    /** As in the service documentation, "Create a service SAS"; start, identifier and IP range are empty. */
    private String stringToSign(KeyRange range, Rights rights, String expiry) {
        String resource = "/table/" + account.getAzureNamedKey().getName() + "/" + table.toLowerCase(Locale.ROOT);
        return String.join(
                "\n",
                rights.letters(),
                "",
                expiry,
                resource,
                "",
                "",
                protocol,
                VERSION,
                range.startPartitionKey().orElse(""),
                range.startRowKey().orElse(""),
                range.endPartitionKey().orElse(""),
                range.endRowKey().orElse(""));
    }

    private String signature(String text) {
        AzureNamedKey named = account.getAzureNamedKey();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(named.getKey()), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The Java runtime does not support HMAC-SHA256", e);
        }
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
