package dev.trestle.server.auth;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** The inclusive range of IPv4 addresses that may use a SAS. */
record SourceAddresses(long first, long last) {
    private static final SourceAddresses LOOPBACK = new SourceAddresses(0x7F00_0000L, 0x7FFF_FFFFL);

    /** Parses {@code a} or {@code a-b}; returns empty if the text is neither. */
    static Optional<SourceAddresses> parse(String text) {
        int dash = text.indexOf('-');
        OptionalLong first = ipv4(dash < 0 ? text : text.substring(0, dash));
        OptionalLong last = dash < 0 ? first : ipv4(text.substring(dash + 1));
        if (first.isEmpty() || last.isEmpty() || first.getAsLong() > last.getAsLong()) {
            return Optional.empty();
        }
        return Optional.of(new SourceAddresses(first.getAsLong(), last.getAsLong()));
    }

    boolean contains(String address) {
        OptionalLong number = address.indexOf(':') < 0 ? ipv4(address) : mappedIpv4(address);
        return number.isPresent() && number.getAsLong() >= first && number.getAsLong() <= last;
    }

    /** Whether an address is a loopback address. */
    static boolean isLoopback(String address) {
        int zone = address.indexOf('%');
        String literal = zone < 0 ? address : address.substring(0, zone);
        return LOOPBACK.contains(literal) || literal.equals("::1") || literal.equals("0:0:0:0:0:0:0:1");
    }

    private static OptionalLong ipv4(String text) {
        long address = 0;
        int octet = -1;
        int octets = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            if (c == '.') {
                if (octet < 0) {
                    return OptionalLong.empty();
                }
                address = address << 8 | octet;
                octet = -1;
                if (++octets > 4) {
                    return OptionalLong.empty();
                }
            } else if (c >= '0' && c <= '9' && octet != 0) {
                // Leading zeros are rejected, because some parsers read them as octal.
                octet = Math.max(octet, 0) * 10 + (c - '0');
                if (octet > 255) {
                    return OptionalLong.empty();
                }
            } else {
                return OptionalLong.empty();
            }
        }
        return octets == 4 ? OptionalLong.of(address) : OptionalLong.empty();
    }

    /**
     * Parses an IPv4-mapped IPv6 address, {@code ::ffff:a.b.c.d} in any spelling, which dual-stack sockets report.
     */
    private static OptionalLong mappedIpv4(String text) {
        int zone = text.indexOf('%');
        String literal = zone < 0 ? text : text.substring(0, zone);
        try {
            // With the brackets, a host name is never resolved.
            byte[] bytes = InetAddress.getByName("[" + literal + "]").getAddress();
            return bytes.length == 4
                    ? OptionalLong.of(ByteBuffer.wrap(bytes).getInt() & 0xFFFF_FFFFL)
                    : OptionalLong.empty();
        } catch (UnknownHostException e) {
            return OptionalLong.empty();
        }
    }
}
