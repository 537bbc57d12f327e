package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.codec.QueryParameters;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parsed URL of a request: account, resource and query.
 *
 * @param authority the host, with the port if there is one
 * @param rawPath the whole path as sent, percent-encoded
 * @param rawResource the path after the account
 * @param baseUrl the prefix of all URLs of the account's resources
 */
public record RequestAddress(
        String account,
        boolean secondary,
        String authority,
        String rawPath,
        String rawResource,
        String baseUrl,
        QueryParameters query) {
    private static final String SECONDARY_SUFFIX = "-secondary";

    /**
     * Parses a URL. The account is the first label of the host name if that is an account of this server,
     * otherwise the first segment of the path.
     *
     * @param uri a path, or an absolute URL, whose host then takes precedence
     * @throws StorageException when the URL cannot be parsed
     */
    public static RequestAddress parse(String uri, @Nullable String hostHeader, boolean tls, Accounts accounts) {
        String host = hostHeader;
        String target = uri;
        if (target.startsWith("http://") || target.startsWith("https://")) {
            int authority = target.indexOf("//") + 2;
            int path = indexOfPath(target, authority);
            host = target.substring(authority, path);
            target = target.substring(path);
        }
        if (host == null || host.isBlank()) {
            throw new StorageException(StorageError.HOST_INFORMATION_NOT_PRESENT);
        }
        if (!HostSyntax.isHost(host)) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE);
        }
        int question = target.indexOf('?');
        String rawPath = question < 0 ? target : target.substring(0, question);
        QueryParameters query =
                question < 0 ? QueryParameters.NONE : QueryParameters.parse(target.substring(question + 1));
        if (!rawPath.startsWith("/")) {
            rawPath = "/" + rawPath;
        }
        String origin = (tls ? "https://" : "http://") + host;
        int dot = host.indexOf('.');
        if (dot > 0) {
            String label = host.substring(0, dot).toLowerCase(Locale.ROOT);
            String account = withoutSuffix(label);
            if (accounts.find(account).isPresent()) {
                return new RequestAddress(account, !account.equals(label), host, rawPath, rawPath, origin, query);
            }
        }
        int end = rawPath.indexOf('/', 1);
        String segment = rawPath.substring(1, end < 0 ? rawPath.length() : end);
        String account = withoutSuffix(segment);
        return new RequestAddress(
                account,
                !account.equals(segment),
                host,
                rawPath,
                end < 0 ? "/" : rawPath.substring(end),
                origin + "/" + segment,
                query);
    }

    private static int indexOfPath(String target, int from) {
        for (int i = from; i < target.length(); i++) {
            if (target.charAt(i) == '/' || target.charAt(i) == '?') {
                return i;
            }
        }
        return target.length();
    }

    private static String withoutSuffix(String name) {
        return name.endsWith(SECONDARY_SUFFIX) ? name.substring(0, name.length() - SECONDARY_SUFFIX.length()) : name;
    }

    /** Whether the account is the first segment of the path, rather than a label of the host name. */
    public boolean isPathStyle() {
        return !rawPath.equals(rawResource);
    }

    /**
     * Returns the path after the account of an address in a batch. The account may be omitted where it would be
     * the first segment, as some clients do. A path that begins with the account name is taken to contain the
     * account.
     */
    public String resourceOf(String path) {
        if (isPathStyle()) {
            for (String segment : List.of(account, account + SECONDARY_SUFFIX)) {
                if (path.startsWith("/" + segment + "/")) {
                    return path.substring(segment.length() + 1);
                }
            }
        }
        return path;
    }

    /** Returns the address of another resource in the same account. */
    public RequestAddress withResource(String otherRawResource, QueryParameters otherQuery) {
        return new RequestAddress(account, secondary, authority, rawPath, otherRawResource, baseUrl, otherQuery);
    }

    /**
     * Returns the address of a request in a batch.
     *
     * @param target the path, with or without the account, and the query
     */
    public RequestAddress inBatch(String target) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String resource = resourceOf(path);
        String accountSegment = path.substring(0, path.length() - resource.length());
        return new RequestAddress(
                account,
                secondary || accountSegment.endsWith(SECONDARY_SUFFIX),
                authority,
                path,
                resource,
                baseUrl,
                question < 0 ? QueryParameters.NONE : QueryParameters.parse(target.substring(question + 1)));
    }
}
