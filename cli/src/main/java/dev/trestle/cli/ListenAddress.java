package dev.trestle.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import picocli.CommandLine.TypeConversionException;

/**
 * An address to listen on.
 *
 * @param host as given, without the brackets of an IPv6 address
 * @param loopback whether only this machine can reach it
 * @param wildcard whether it means all addresses of this machine
 */
record ListenAddress(String host, boolean loopback, boolean wildcard) {
    /** Parses an address or a host name. Resolves the name, because its addresses decide who can reach the server. */
    static ListenAddress of(String text) {
        String host = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (host.isBlank()) {
            throw new TypeConversionException("it is empty; give an address such as 127.0.0.1.");
        }
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            return new ListenAddress(
                    host,
                    Arrays.stream(addresses).allMatch(InetAddress::isLoopbackAddress),
                    Arrays.stream(addresses).anyMatch(InetAddress::isAnyLocalAddress));
        } catch (UnknownHostException e) {
            throw new TypeConversionException("no address is known for '" + host + "'.");
        }
    }

    /** Returns the host for the URLs of clients on this machine. */
    String inUrl() {
        if (wildcard) {
            return host.contains(":") ? "[::1]" : "127.0.0.1";
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }
}
