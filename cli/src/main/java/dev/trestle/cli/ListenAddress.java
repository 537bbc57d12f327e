package dev.trestle.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Where the server listens.
 *
 * @param host as the user gave it, without the brackets of an IPv6 address
 * @param loopback whether only this machine can reach it
 * @param wildcard whether it stands for every address of this machine
 */
record ListenAddress(String host, boolean loopback, boolean wildcard) {
    /** Looks the name up, since what a name means decides who can reach the server. */
    static ListenAddress of(String text) {
        String host = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (host.isBlank()) {
            throw new ConfigException("it is empty; give an address such as 127.0.0.1.");
        }
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            return new ListenAddress(
                    host,
                    Arrays.stream(addresses).allMatch(InetAddress::isLoopbackAddress),
                    Arrays.stream(addresses).anyMatch(InetAddress::isAnyLocalAddress));
        } catch (UnknownHostException e) {
            throw new ConfigException("no address is known for '" + host + "'.");
        }
    }

    /** The host as a client on this machine writes it in a URL. */
    String inUrl() {
        if (wildcard) {
            return host.contains(":") ? "[::1]" : "127.0.0.1";
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }
}
