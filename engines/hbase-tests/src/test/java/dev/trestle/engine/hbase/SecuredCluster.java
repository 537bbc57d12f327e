package dev.trestle.engine.hbase;

import dev.trestle.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/**
 * A cluster with Kerberos authentication, and its key distribution centre. Only the user trestle has permissions.
 * Clients run in separate processes, because the user and the realm of a process cannot change.
 */
final class SecuredCluster implements AutoCloseable {
    private static final List<String> SITES = List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");
    private static final String ACCESS_CONTROL = "org.apache.hadoop.hbase.security.access.AccessController";
    private static final String OF_ALL_CLIENTS = "settings";

    static final String KEYTAB = "hbase.client.keytab.file";
    static final String PRINCIPAL = "hbase.client.keytab.principal";

    private final Path folder;
    private final MiniKdc kdc;
    private final Path krb5;
    private final Sandbox sandbox;
    private int clients;

    /** @param folder for the configurations of clients */
    SecuredCluster(Path folder) throws Exception {
        this.folder = folder;
        kdc = new MiniKdc(MiniKdc.createConf(), folder.toFile());
        kdc.start();
        krb5 = Files.copy(kdc.getKrb5conf().toPath(), folder.resolve("krb5.conf"));
        // Other code in this process must not use it.
        System.clearProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF);
        Path keytab = keytab("servers", "hbase/127.0.0.1", "hdfs/127.0.0.1", "HTTP/127.0.0.1");
        sandbox = TestCluster.begin(data -> {
            Sandbox made = Sandbox.separate(data, 1);
            try {
                secure(data.resolve("conf"), keytab);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return made;
        });
    }

    private void secure(Path settings, Path keytab) throws IOException {
        Files.copy(krb5, settings.resolve("krb5.conf"));
        add(settings, secured(keytab));
        copySites(settings, Files.createDirectory(folder.resolve(OF_ALL_CLIENTS)));
        // For the readiness checks of the sandbox.
        add(settings, Map.of(KEYTAB, keytab.toString(), PRINCIPAL, "hbase/127.0.0.1"));
    }

    private Map<String, String> secured(Path keytab) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "hadoop.security.authentication", "kerberos",
                "hbase.security.authentication", "kerberos",
                "dfs.block.access.token.enable", "true",
                "dfs.web.authentication.kerberos.principal", "HTTP/127.0.0.1@" + kdc.getRealm(),
                "dfs.web.authentication.kerberos.keytab", keytab.toString(),
                // The default ports are below 1024, which requires root.
                "ignore.secure.ports.for.testing", "true"));
        for (String part : List.of("hbase.master", "hbase.regionserver", "dfs.namenode", "dfs.datanode")) {
            String user = part.startsWith("dfs") ? "hdfs" : "hbase";
            settings.put(part + ".kerberos.principal", user + "/127.0.0.1@" + kdc.getRealm());
            settings.put(part + ".keytab.file", keytab.toString());
        }
        // Only this user has permissions.
        settings.put("hbase.superuser", "trestle");
        settings.put("hbase.security.authorization", "true");
        for (String part : List.of("master", "region")) {
            settings.put("hbase.coprocessor." + part + ".classes", ACCESS_CONTROL);
        }
        return settings;
    }

    String realm() {
        return kdc.getRealm();
    }

    /** Creates a keytab with new principals. */
    Path keytab(String name, String... principals) throws Exception {
        Path keytab = folder.resolve(name + ".keytab");
        kdc.createPrincipal(keytab.toFile(), principals);
        return keytab;
    }

    /** Writes the configuration of a client: the settings of the cluster, and its own. */
    Path settings(Map<String, String> own) throws IOException {
        Path settings = Files.createDirectory(folder.resolve("client-" + ++clients));
        copySites(folder.resolve(OF_ALL_CLIENTS), settings);
        add(settings, own);
        return settings;
    }

    private static void copySites(Path from, Path to) throws IOException {
        for (String site : SITES) {
            Files.copy(from.resolve(site), to.resolve(site));
        }
    }

    private static void add(Path settings, Map<String, String> more) throws IOException {
        for (String site : SITES) {
            String properties = more.entrySet().stream()
                    .filter(setting -> site.equals(siteOf(setting.getKey())))
                    .map(setting -> "<property><name>" + setting.getKey() + "</name><value>" + setting.getValue()
                            + "</value></property>\n")
                    .collect(Collectors.joining());
            Path file = settings.resolve(site);
            Files.writeString(
                    file, Files.readString(file).replace("</configuration>", properties + "</configuration>"));
        }
    }

    private static String siteOf(String setting) {
        if (setting.startsWith("hbase.")) {
            return "hbase-site.xml";
        }
        return setting.startsWith("dfs.") ? "hdfs-site.xml" : "core-site.xml";
    }

    /** Creates a ticket cache, like {@code kinit}. */
    Path tickets(String principal, Path keytab) throws Exception {
        KrbClient client = new KrbClient(folder.toFile());
        client.init();
        Path tickets = folder.resolve(principal + ".tickets");
        client.storeTicket(client.requestTgt(principal + "@" + realm(), keytab.toFile()), tickets.toFile());
        return tickets;
    }

    String run(Path settings) throws Exception {
        return run(settings, Map.of());
    }

    String run(Path settings, Map<String, String> environment) throws Exception {
        return run(settings, environment, krb5);
    }

    /** Runs a {@link SecuredFrontEnd} with these settings, and returns its output. */
    String run(Path settings, Map<String, String> environment, Path krb5OfClient) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx192m",
                        "-Djava.security.krb5.conf=" + krb5OfClient,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SecuredFrontEnd.class.getName(),
                        settings.toString())
                // Newer JVMs print warnings about native code there.
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // Not the ticket cache of the user who runs the tests.
        builder.environment().put("KRB5CCNAME", folder.resolve("no-tickets").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() {
        sandbox.close();
        kdc.stop();
    }
}
