package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An nginx process that serves the files of a folder. */
final class Nginx implements AutoCloseable {
    private static final List<String> PLACES = List.of("/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx");
    private static final int LOOKS_MAX = 100;

    private final Process process;
    private final Address address;

    private Nginx(Process process, Address address) {
        this.process = process;
        this.address = address;
    }

    /** Starts nginx, if it is installed. */
    static Optional<Nginx> start(Path folder) throws IOException, InterruptedException {
        Optional<String> program = program();
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = freePort();
        Path config = folder.resolve("nginx.conf");
        Files.writeString(config, config(folder, port));
        Process process = new ProcessBuilder(program.get(), "-p", folder.toString(), "-c", config.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (int look = 0; look < LOOKS_MAX && process.isAlive(); look++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return Optional.of(new Nginx(process, new Address("127.0.0.1", port, false)));
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        process.destroy();
        return Optional.empty();
    }

    private static Optional<String> program() {
        List<String> places = new ArrayList<>(PLACES);
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            places.add(folder + "/nginx");
        }
        return places.stream()
                .filter(place -> Files.isExecutable(Path.of(place)))
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String config(Path folder, int port) {
        StringBuilder text = new StringBuilder("daemon off;\nmaster_process off;\npid " + folder
                + "/nginx.pid;\nerror_log stderr crit;\nevents { worker_connections 64; }\n"
                + "http {\n  access_log off;\n  sendfile on;\n");
        for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            text.append("  ").append(kind).append("_temp_path ").append(folder).append("/nginx-temp;\n");
        }
        return text.append("  server { listen 127.0.0.1:")
                .append(port)
                .append("; root ")
                .append(folder)
                .append("; }\n}\n")
                .toString();
    }

    Address address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
