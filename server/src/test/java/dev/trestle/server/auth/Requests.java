package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.server.codec.QueryParameters;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Makes the requests of these tests, signed by code that shares nothing with the code under test. */
public final class Requests {
    public static final String ACCOUNT = "devstoreaccount1";
    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    static final String OTHER_KEY = "c2Vjb25kLWtleS1vZi10aGUtYWNjb3VudA==";
    static final String DATE = "Mon, 02 Mar 2026 10:00:00 GMT";

    /** The account of the published test vectors. */
    static final Accounts VECTOR_ACCOUNTS =
            Accounts.of(List.of(Account.of("acct1", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")));

    private final List<Map.Entry<String, String>> headers = new ArrayList<>();
    private Service service = Service.TABLE;
    private String method = "GET";
    private String account = ACCOUNT;
    private String rawPath;
    private String rawQuery = "";
    private String clientAddress = "127.0.0.1";
    private boolean tls;
    private boolean hostStyle;

    private Requests(String rawPath) {
        this.rawPath = rawPath;
    }

    static Requests to(String rawPath) {
        return new Requests(rawPath);
    }

    /** A request to the table, the queue, the container or the blob of a SAS, with its query string. */
    static Requests with(Sas sas) {
        if (sas.blob().isPresent()) {
            String path = sas.blob().get();
            String query = path.indexOf('/') < 0 ? "restype=container&" + sas.query() : sas.query();
            return to("/devstoreaccount1/" + path).service(Service.BLOB).query(query);
        }
        return sas.queue()
                .map(queue -> to("/devstoreaccount1/" + queue).service(Service.QUEUE))
                .orElseGet(() -> to("/devstoreaccount1/orders"))
                .query(sas.query());
    }

    Requests service(Service value) {
        service = value;
        return this;
    }

    Requests method(String value) {
        method = value;
        return this;
    }

    Requests account(String value) {
        account = value;
        return this;
    }

    Requests path(String value) {
        rawPath = value;
        return this;
    }

    Requests query(String value) {
        rawQuery = value;
        return this;
    }

    Requests header(String name, String value) {
        headers.removeIf(header -> header.getKey().equalsIgnoreCase(name));
        return repeated(name, value);
    }

    /** A further header of a name that is there already. */
    Requests repeated(String name, String value) {
        headers.add(Map.entry(name, value));
        return this;
    }

    /** Has the account in the host name, also if the path looks as if it began with it. */
    Requests hostStyle() {
        hostStyle = true;
        return this;
    }

    Requests from(String value) {
        clientAddress = value;
        return this;
    }

    Requests tls() {
        tls = true;
        return this;
    }

    /** Signs the text with the development key, whatever the request is. */
    Requests sharedKey(String stringToSign) {
        return header("Authorization", "SharedKey " + ACCOUNT + ":" + sign(KEY, stringToSign));
    }

    Requests sharedKeyLite(String stringToSign) {
        return header("Authorization", "SharedKeyLite " + ACCOUNT + ":" + sign(KEY, stringToSign));
    }

    SignedRequest build() {
        return new SignedRequest(
                service,
                method,
                account,
                rawPath,
                rawResource(),
                QueryParameters.parse(rawQuery),
                this::find,
                List.copyOf(headers),
                clientAddress,
                tls);
    }

    private String rawResource() {
        int end = rawPath.indexOf('/', 1);
        String segment = end < 0 ? rawPath : rawPath.substring(0, end);
        if (hostStyle || !(segment.equals("/" + account) || segment.equals("/" + account + "-secondary"))) {
            return rawPath;
        }
        return end < 0 ? "/" : rawPath.substring(end);
    }

    private @Nullable String find(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    public static String sign(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
