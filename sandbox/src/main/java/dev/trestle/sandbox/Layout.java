package dev.trestle.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which processes a sandbox has and where they listen. Chosen at its first start and kept in its folder, for a cluster
 * comes back to its data only under its old addresses.
 */
record Layout(boolean oneJvm, int servers, SortedMap<String, Integer> ports) {
    static final int SERVERS_MAX = 20;

    // Below the ports that systems hand out to outgoing connections, lest one of those be in the way at the next start.
    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 32_000;
    private static final String MODE = "mode";
    private static final String SERVERS = "servers";

    Layout {
        if (servers < 1 || servers > SERVERS_MAX) {
            throw new SandboxException("A sandbox has 1 to " + SERVERS_MAX + " region servers, not " + servers + ".");
        }
        ports = new TreeMap<>(ports);
    }

    /** A layout with a free port for everything that has none among the known. */
    static Layout choose(boolean oneJvm, int servers, Map<String, Integer> known) {
        SortedMap<String, Integer> ports = new TreeMap<>(known);
        Stream<String> listeners = oneJvm
                ? Stream.of("zookeeper", "master")
                : Stream.of(
                        "zookeeper",
                        "namenode",
                        "namenode-http",
                        "datanode",
                        "datanode-http",
                        "datanode-ipc",
                        "master");
        Stream<String> serverNames =
                IntStream.rangeClosed(1, servers).mapToObj(i -> SandboxProcess.name(Role.REGION_SERVER, i));
        Stream.concat(listeners, serverNames)
                .forEach(name -> ports.computeIfAbsent(name, unknown -> freePort(ports.values())));
        return new Layout(oneJvm, servers, ports);
    }

    static Optional<Layout> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties values = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            values.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Map<String, Integer> ports = values.stringPropertyNames().stream()
                    .filter(name -> !name.equals(MODE) && !name.equals(SERVERS))
                    .collect(Collectors.toMap(name -> name, name -> Integer.valueOf(values.getProperty(name))));
            int servers = Integer.parseInt(values.getProperty(SERVERS, ""));
            return Optional.of(choose(Role.ONE_JVM.label().equals(values.getProperty(MODE)), servers, ports));
        } catch (NumberFormatException e) {
            throw new SandboxException("The file " + file + " is damaged; delete its folder to start over.");
        }
    }

    void write(Path file) {
        List<String> lines = new ArrayList<>();
        lines.add(MODE + "=" + (oneJvm ? Role.ONE_JVM.label() : "separate"));
        lines.add(SERVERS + "=" + servers);
        ports.forEach((name, port) -> lines.add(name + "=" + port));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port(String listener) {
        Integer port = ports.get(listener);
        if (port == null) {
            throw new IllegalStateException("no port for " + listener);
        }
        return port;
    }

    /** Returns the names of the ports of a process; the first is its main port. */
    List<String> listeners(Role role, int index) {
        return switch (role) {
            case ZOOKEEPER, MASTER, REGION_SERVER -> List.of(SandboxProcess.name(role, index));
            case NAMENODE -> List.of("namenode", "namenode-http");
            case DATANODE -> List.of("datanode", "datanode-http", "datanode-ipc");
            case ONE_JVM ->
                Stream.concat(Stream.of("zookeeper"), ports.keySet().stream())
                        .distinct()
                        .toList();
        };
    }

    static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort(Collection<Integer> taken) {
        return RandomGenerator.getDefault()
                .ints(1_000, PORT_MIN, PORT_MAX)
                .filter(port -> !taken.contains(port) && free(port))
                .findFirst()
                .orElseThrow(() -> new SandboxException(
                        "No free port was found between " + PORT_MIN + " and " + PORT_MAX + "; stop some servers."));
    }
}
