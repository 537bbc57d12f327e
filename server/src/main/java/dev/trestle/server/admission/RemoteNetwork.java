package dev.trestle.server.admission;

import io.netty.util.NetUtil;

/**
 * The unit of per-client limits: an IPv4 address, or the /64 prefix of an IPv6 address, whose other bits a client can
 * choose.
 *
 * @param bits the address, or its first 64 bits
 * @param v6 whether it is an IPv6 prefix
 */
public record RemoteNetwork(long bits, boolean v6) {
    /** The length of the prefix of IPv4-mapped addresses: ten bytes of zeros and two of ones. */
    private static final int MAPPED_BYTES = 12;

    private static final int PREFIX_BYTES = 8;

    /**
     * Returns the network of an address.
     *
     * @param literal the address as text; all invalid texts count as one network
     */
    public static RemoteNetwork of(String literal) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(literal);
        if (address == null) {
            return new RemoteNetwork(0, false);
        }
        if (address.length > PREFIX_BYTES && !isMapped(address)) {
            return new RemoteNetwork(number(address, 0, PREFIX_BYTES), true);
        }
        return new RemoteNetwork(
                number(address, address.length > PREFIX_BYTES ? MAPPED_BYTES : 0, address.length), false);
    }

    private static boolean isMapped(byte[] address) {
        return number(address, 0, PREFIX_BYTES) == 0 && number(address, PREFIX_BYTES, MAPPED_BYTES) == 0xFFFF;
    }

    private static long number(byte[] bytes, int start, int end) {
        long number = 0;
        for (int i = start; i < end; i++) {
            number = number << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return number;
    }
}
