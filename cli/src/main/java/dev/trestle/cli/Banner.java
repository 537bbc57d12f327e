package dev.trestle.cli;

import dev.trestle.catalogue.Service;
import dev.trestle.commandline.Version;
import dev.trestle.engine.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The text that a started server prints: how to connect to it and where its data is. Contains no secret. */
final class Banner {
    private static final String PLACEHOLDER = "<your key>";

    private final ServeConfig config;
    private final MemoryBudget memory;
    private final Map<Service, Integer> ports;
    private final OptionalInt adminPort;

    /** @param ports the actual ports, also for options that ask for any free one */
    Banner(ServeConfig config, MemoryBudget memory, Map<Service, Integer> ports, OptionalInt adminPort) {
        this.config = config;
        this.memory = memory;
        this.ports = new TreeMap<>(ports);
        this.adminPort = adminPort;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Trestle " + Version.text());
        lines.add("");
        if (config.address().wildcard()) {
            add(lines, "Listening on", "every address of this machine");
        }
        for (AccountKeys account : config.accounts()) {
            add(lines, "Account", account.name() + (account.isDevelopment() ? " (well-known development key)" : ""));
            ports.forEach((service, port) -> add(lines, title(service) + " endpoint", endpoint(account, port)));
            add(lines, "Connection string", connectionString(account));
            if (isDevelopmentStorage(account)) {
                add(lines, "", "or just UseDevelopmentStorage=true");
            }
        }
        add(lines, "Data", config.cluster().map(Banner::cluster).orElseGet(this::folder));
        if (config.cluster().isPresent() && !ports.containsKey(Service.BLOB)) {
            add(lines, "Blobs", "not served; set --hbase-conf or --hbase-content-dir to store their content");
        }
        add(lines, "Engine", config.engine().name().toLowerCase(Locale.ROOT));
        add(lines, "Durability", durability());
        if (config.cluster().isEmpty()) {
            add(lines, "Memory", memory.toString());
        }
        adminPort.ifPresent(port -> addAdmin(lines, port));
        lines.add("");
        return lines;
    }

    private void addAdmin(List<String> lines, int port) {
        ListenAddress address = config.admin().orElseThrow().address();
        add(lines, "Health, metrics", "http://" + address.inUrl() + ":" + port + "/health/ready and /metrics");
        if (!address.loopback()) {
            add(
                    lines,
                    "Warning",
                    "Others can reach this port, which needs no credentials: allow only your monitoring to connect, or"
                            + " leave out --admin-host.");
        }
    }

    private String folder() {
        return config.data()
                .map(folder -> folder.toAbsolutePath().normalize().toString())
                .orElse("in memory, lost when the server stops");
    }

    private static String cluster(ClusterConfig cluster) {
        return "in the HBase cluster "
                + cluster.quorum()
                        .map(quorum -> "at " + quorum)
                        .or(() -> cluster.configuration().map(folder -> "of " + folder))
                        .orElseThrow()
                + ", namespace " + cluster.namespace();
    }

    /** Returns the last line. It does not depend on the locale, because scripts search for it. */
    static String ready(double seconds) {
        return String.format(Locale.ROOT, "Ready in %.1f s. Press Ctrl-C to stop.", seconds);
    }

    private static void add(List<String> lines, String label, String value) {
        lines.add(String.format(Locale.ROOT, "  %-18s %s", label, value));
    }

    private static String title(Service service) {
        return service.word().substring(0, 1).toUpperCase(Locale.ROOT)
                + service.word().substring(1);
    }

    private String endpoint(AccountKeys account, int port) {
        return scheme() + "://" + config.address().inUrl() + ":" + port + "/" + account.name();
    }

    private String connectionString(AccountKeys account) {
        return "DefaultEndpointsProtocol=" + scheme()
                + ";AccountName=" + account.name()
                + ";AccountKey=" + (account.isDevelopment() ? account.keys().get(0) : PLACEHOLDER)
                + ports.entrySet().stream()
                        .map(served ->
                                ";" + title(served.getKey()) + "Endpoint=" + endpoint(account, served.getValue()))
                        .collect(Collectors.joining())
                + ";";
    }

    /** Every SDK takes the short form for http, 127.0.0.1 and the usual ports. */
    private boolean isDevelopmentStorage(AccountKeys account) {
        return account.isDevelopment()
                && config.tls().isEmpty()
                && config.address().inUrl().equals("127.0.0.1")
                && ports.entrySet().stream()
                        .allMatch(served -> served.getValue() == ServeConfig.usualPort(served.getKey()));
    }

    private String durability() {
        if (config.cluster().isPresent()) {
            return switch (config.durability()) {
                case SYNCED -> "synced (an acknowledged write is on the disks of the cluster)";
                case BUFFERED -> "buffered (an acknowledged write is in the memory of the cluster's data nodes)";
            };
        }
        if (config.data().isEmpty()) {
            return "none";
        }
        return switch (config.durability()) {
            case SYNCED -> "synced (an acknowledged write survives a power failure)";
            case BUFFERED -> "buffered (an acknowledged write survives a crash of the server, not a power failure)";
        };
    }

    private String scheme() {
        return config.tls().isPresent() ? "https" : "http";
    }
}
