package dev.trestle.benchmarks.load;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A Table, Queue or Blob endpoint with its credential. Its text has no secret.
 *
 * @param basePath the prefix of every path: the account in path style, empty in host style
 */
public record Endpoint(Address address, String basePath, String account, Credential credential) {
    public static final String DEVELOPMENT = "http://127.0.0.1:10002/devstoreaccount1";
    public static final String DEVELOPMENT_QUEUES = "http://127.0.0.1:10001/devstoreaccount1";
    public static final String DEVELOPMENT_BLOBS = "http://127.0.0.1:10000/devstoreaccount1";
    private static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

    /** The well-known development key, the same in every emulator and SDK, so it is not a secret. */
    private static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Pattern ADDRESS_LITERAL = Pattern.compile("\\[.*]|[0-9.]+|localhost");

    /** An endpoint as the user gives it; the query of the address may be a shared access signature. */
    public record Given(String url, Optional<String> account, Optional<String> key, Optional<String> sas) {
        public static Given url(String url) {
            return new Given(url, Optional.empty(), Optional.empty(), Optional.empty());
        }

        @Override
        public String toString() {
            return url.split("\\?", 2)[0];
        }
    }

    /**
     * Parses an endpoint.
     *
     * @throws IllegalArgumentException with a message for the user, if it is invalid
     */
    public static Endpoint of(Given given) {
        URI uri = uri(given);
        boolean tls = uri.getScheme().equals("https");
        String host = uri.getHost();
        Address address = new Address(host, uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80, tls);
        String path = uri.getPath() == null ? "" : uri.getPath().replaceAll("/+$", "");
        boolean literal = ADDRESS_LITERAL.matcher(host).matches();
        String account;
        if (!path.isEmpty()) {
            account = path.substring(path.lastIndexOf('/') + 1);
        } else if (given.account().isPresent() || literal) {
            account = given.account().orElse(DEVELOPMENT_ACCOUNT);
            path = literal ? "/" + account : "";
        } else {
            account = host.split("\\.", 2)[0];
        }
        return new Endpoint(
                address, path, account, credential(given, uri, given.account().orElse(account)));
    }

    private static URI uri(Given given) {
        try {
            URI uri = new URI(given.url());
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The exception's message would repeat the address with the signature.
        }
        throw new IllegalArgumentException("The endpoint " + given + " is not an http or https address.");
    }

    private static Credential credential(Given given, URI uri, String account) {
        Optional<String> sas = given.sas()
                .map(text -> text.startsWith("?") ? text.substring(1) : text)
                .or(() -> Optional.ofNullable(uri.getRawQuery()))
                .filter(text -> !text.isEmpty());
        if (sas.isPresent() && given.key().isPresent()) {
            throw new IllegalArgumentException(
                    "The endpoint " + given + " is given a key and a shared access signature; one is enough.");
        }
        if (sas.isPresent()) {
            return new Credential.Signature(sas.get());
        }
        boolean development = account.equals(DEVELOPMENT_ACCOUNT)
                && ADDRESS_LITERAL.matcher(uri.getHost()).matches();
        if (given.key().isEmpty() && !development) {
            throw new IllegalArgumentException("The endpoint " + given + " needs a key or a shared access signature.");
        }
        try {
            return new Credential.AccountKey(
                    account, Base64.getDecoder().decode(given.key().orElse(DEVELOPMENT_KEY)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The key for the endpoint " + given + " is not Base64 text.");
        }
    }

    String base() {
        return (address.tls() ? "https://" : "http://") + address.hostAndPort() + basePath;
    }

    @Override
    public String toString() {
        return base();
    }
}
