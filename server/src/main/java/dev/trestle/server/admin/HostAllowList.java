package dev.trestle.server.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The allowed values of Host on a loopback port, as protection against DNS rebinding: a web page can make its own
 * host name resolve to this machine, and its requests then count as same-origin in the browser, but it cannot
 * choose the Host header. On any other address all values are allowed, because the host names of the machine are
 * unknown.
 */
final class HostAllowList {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final String LOCAL = "localhost";

    /** The configured host, if it is a loopback address. */
    private final Optional<String> given;

    private HostAllowList(Optional<String> given) {
        this.given = given;
    }

    /** @param listening the configured host */
    static HostAllowList of(String listening) {
        try {
            return InetAddress.getByName(listening).isLoopbackAddress()
                    ? new HostAllowList(Optional.of(listening.toLowerCase(Locale.ROOT)))
                    : new HostAllowList(Optional.empty());
        } catch (UnknownHostException e) {
            // Listening will fail with an error message.
            return new HostAllowList(Optional.empty());
        }
    }

    /** @param host the header as received; browsers always send it */
    boolean include(@Nullable String host) {
        if (host == null || given.isEmpty()) {
            return true;
        }
        String text = host.strip().toLowerCase(Locale.ROOT);
        if (text.startsWith("[")) {
            return true;
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        return name.equals(LOCAL)
                || name.equals(given.get())
                || IPV4.matcher(name).matches();
    }
}
