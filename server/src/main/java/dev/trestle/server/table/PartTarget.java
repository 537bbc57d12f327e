package dev.trestle.server.table;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.codec.QueryParameters;
import dev.trestle.server.pipeline.Request;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves the URL of a part of a batch, which may be absolute or relative. Its host is ignored, because a proxy
 * may have replaced the one that the client knows, but it must not name another account.
 */
final class PartTarget {
    private static final String SECONDARY_SUFFIX = "-secondary";
    private static final Pattern SCHEME = Pattern.compile("https?://", Pattern.CASE_INSENSITIVE);

    private final Accounts accounts;

    PartTarget(Accounts accounts) {
        this.accounts = accounts;
    }

    /**
     * Returns the path after the account, percent-encoded.
     *
     * @throws StorageException if the target names another account
     */
    String resource(Request request, String target) {
        String path = withoutQuery(target);
        Matcher scheme = SCHEME.matcher(path);
        if (scheme.lookingAt()) {
            int slash = path.indexOf('/', scheme.end());
            int end = slash < 0 ? path.length() : slash;
            checkHost(request, path.substring(scheme.end(), end));
            path = path.substring(end);
        }
        if (!path.startsWith("/")) {
            path = "/" + path;
        }
        path = request.address().resourceOf(path);
        checkOneSegment(path);
        return path;
    }

    static QueryParameters query(String target) {
        int question = target.indexOf('?');
        return question < 0 ? QueryParameters.NONE : QueryParameters.parse(target.substring(question + 1));
    }

    private static String withoutQuery(String target) {
        int question = target.indexOf('?');
        return question < 0 ? target : target.substring(0, question);
    }

    private static boolean isPathStyle(Request request) {
        return !request.address().rawPath().equals(request.address().rawResource());
    }

    /**
     * Rejects a host whose first label is another account: one of this server, or one in the domain of the
     * request.
     */
    private void checkHost(Request request, String host) {
        int dot = host.indexOf('.');
        if (dot <= 0) {
            return;
        }
        String label = host.substring(0, dot).toLowerCase(Locale.ROOT);
        String account = label.endsWith(SECONDARY_SUFFIX)
                ? label.substring(0, label.length() - SECONDARY_SUFFIX.length())
                : label;
        if (account.equals(request.account())) {
            return;
        }
        String own = request.address().authority();
        boolean sameDomain = !isPathStyle(request)
                && host.substring(dot).equalsIgnoreCase(own.substring(Math.max(0, own.indexOf('.'))));
        if (sameDomain || accounts.find(account).isPresent()) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
    }

    /** Rejects paths of several segments, the first of which would be another account. */
    private static void checkOneSegment(String path) {
        int keys = path.indexOf('(');
        String name = QueryParameters.decode(keys < 0 ? path : path.substring(0, keys), false);
        long segments = Arrays.stream(name.split("/"))
                .filter(segment -> !segment.isEmpty())
                .count();
        if (segments > 1) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
    }
}
