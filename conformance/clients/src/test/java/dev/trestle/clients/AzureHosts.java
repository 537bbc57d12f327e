package dev.trestle.clients;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * An HTTP proxy that leads every {@code ACCOUNT.blob.core.windows.net:443} to one port of this machine, for programs that can
 * be given no other address. It tunnels (CONNECT), hence TLS is between the program and the server. Everything else is
 * refused, so no request leaves the machine.
 */
final class AzureHosts implements AutoCloseable {
    private static final Pattern ALLOWED =
            Pattern.compile("CONNECT [a-z0-9]+\\.blob\\.core\\.windows\\.net:443 HTTP/1\\.[01]\r\n.*", Pattern.DOTALL);
    private static final int HEAD_BYTES_MAX = 8192;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private AzureHosts(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static AzureHosts leadingTo(int port) {
        try {
            AzureHosts hosts = new AzureHosts(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
            start(hosts::accept);
            return hosts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value for {@code HTTPS_PROXY}. */
    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                open.add(client);
                start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The listener is closed when the proxy is.
        }
    }

    private void serve(Socket client) {
        try (client) {
            if (!ALLOWED.matcher(head(client.getInputStream())).matches()) {
                reply(client, "403 Forbidden");
                return;
            }
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                open.add(server);
                reply(client, "200 Connection established");
                start(() -> pipe(server, client));
                pipe(client, server);
            }
        } catch (IOException e) {
            // The program sees its connection closed, and says so.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < HEAD_BYTES_MAX && head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void reply(Socket client, String status) throws IOException {
        client.getOutputStream().write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(US_ASCII));
    }

    private static void pipe(Socket from, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            from.getInputStream().transferTo(out);
            to.shutdownOutput();
        } catch (IOException e) {
            // One side closed the connection; the other learns of it from its own socket.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
