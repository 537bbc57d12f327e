package dev.trestle.server.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names by which a port may be called that only this machine reaches. A web page can have its own name lead to this
 * machine, and what it then asks for in a browser here would come from the page itself, as far as the browser knows;
 * but it cannot choose what the browser writes into Host. Ports that others reach too have names that nobody told us.
 */
final class HostAllowList {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final String LOCAL = "localhost";

    /** The name it was given, where only this machine reaches it. */
    private final Optional<String> given;

    private HostAllowList(Optional<String> given) {
        this.given = given;
    }

    /** @param listening the host that the port is opened at */
    static HostAllowList of(String listening) {
        try {
            return InetAddress.getByName(listening).isLoopbackAddress()
                    ? new HostAllowList(Optional.of(listening.toLowerCase(Locale.ROOT)))
                    : new HostAllowList(Optional.empty());
        } catch (UnknownHostException e) {
            // Opening the port will say so.
            return new HostAllowList(Optional.empty());
        }
    }

    /** @param host the header as it came; browsers never leave it out */
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
