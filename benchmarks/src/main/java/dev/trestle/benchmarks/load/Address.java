package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Where a server listens. */
public record Address(String host, int port, boolean tls) {
    private static final int CONNECT_MILLIS_MAX = 10_000;

    /** Returns the value of the Host header: without the port if it is the default one. */
    String hostAndPort() {
        return port == (tls ? 443 : 80) ? host : host + ":" + port;
    }

    Socket connect() throws IOException {
        Socket plain = new Socket();
        boolean connected = false;
        try {
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(InetAddress.getByName(host), port), CONNECT_MILLIS_MAX);
            Socket socket = tls ? secured(plain) : plain;
            connected = true;
            return socket;
        } finally {
            if (!connected) {
                plain.close();
            }
        }
    }

    private Socket secured(Socket plain) throws IOException {
        SSLSocket socket =
                (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Whether the address is on this machine. */
    public boolean isHere() {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }
}
