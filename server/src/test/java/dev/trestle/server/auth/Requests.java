package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes the requests of these tests, signed by code that shares nothing with the code under test. */
final class Requests {
    static final String ACCOUNT = "devstoreaccount1";
    static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    static final String OTHER_KEY = "c2Vjb25kLWtleS1vZi10aGUtYWNjb3VudA==";
    static final String DATE = "Mon, 02 Mar 2026 10:00:00 GMT";

    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private Service service = Service.TABLE;
    private String method = "GET";
    private String account = ACCOUNT;
    private String rawPath;
    private String rawQuery = "";
    private String clientAddress = "127.0.0.1";
    private boolean tls;

    private Requests(String rawPath) {
        this.rawPath = rawPath;
    }

    static Requests to(String rawPath) {
        return new Requests(rawPath);
    }

    /** A request to a table, with the query string of a SAS. */
    static Requests with(Sas sas) {
        return to("/devstoreaccount1/orders").query(sas.query());
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
        headers.put(name, value);
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
                service, method, account, rawPath, QueryParameters.parse(rawQuery), headers::get, clientAddress, tls);
    }

    static String sign(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
