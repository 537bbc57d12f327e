package dev.trestle.sandbox.node;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Waits until a cluster serves clients: its master is active, its region servers are registered, all regions
 * respond.
 */
public final class Readiness {
    private static final int PAUSE_MILLIS = 200;

    private Readiness() {}

    /**
     * Ends when the cluster of the configuration on the class path serves.
     *
     * @param arguments for each region server its port and the earliest time of its start, in milliseconds: until its
     *     session ends, one that was killed is still counted in
     */
    public static void main(String[] arguments) throws InterruptedException {
        // The parent process may exit first, and the cluster may never serve.
        ProcessHandle.current().parent().ifPresent(asker -> {
            var unused = asker.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
        });
        Map<Integer, Long> servers = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            servers.put(Integer.valueOf(arguments[i]), Long.valueOf(arguments[i + 1]));
        }
        await(HBaseConfiguration.create(), servers);
        // Exits at once: the threads of the HBase client would take a while to end.
        Runtime.getRuntime().halt(0);
    }

    static void await(Configuration cluster, Map<Integer, Long> servers) throws InterruptedException {
        Configuration impatient = new Configuration(cluster);
        impatient.setInt("hbase.client.retries.number", 1);
        impatient.setInt("hbase.client.pause", PAUSE_MILLIS);
        impatient.setInt("hbase.rpc.timeout", 5_000);
        impatient.setInt("hbase.client.operation.timeout", 5_000);
        while (!serves(impatient, servers)) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static boolean serves(Configuration cluster, Map<Integer, Long> servers) throws InterruptedException {
        try (Connection connection = ConnectionFactory.createConnection(cluster);
                Admin admin = connection.getAdmin()) {
            while (!takesOrders(admin) || !hasJoined(admin, servers) || !metaAnswers(connection)) {
                Thread.sleep(PAUSE_MILLIS);
            }
            for (TableName table : admin.listTableNames()) {
                if (admin.isTableEnabled(table)) {
                    readEveryRegion(connection, table);
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Namespaces are listed only by a master that has done all its first work. */
    private static boolean takesOrders(Admin admin) throws IOException {
        return admin.listNamespaces().length > 0;
    }

    private static boolean hasJoined(Admin admin, Map<Integer, Long> servers) throws IOException {
        Collection<ServerName> live = admin.getRegionServers();
        return servers.entrySet().stream()
                .allMatch(server -> live.stream()
                        .anyMatch(
                                name -> name.getPort() == server.getKey() && name.getStartCode() >= server.getValue()));
    }

    private static boolean metaAnswers(Connection connection) throws IOException {
        try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
                ResultScanner rows = meta.getScanner(new Scan().setLimit(1))) {
            return rows.next() != null;
        }
    }

    private static void readEveryRegion(Connection connection, TableName name) throws IOException {
        try (Table table = connection.getTable(name);
                RegionLocator regions = connection.getRegionLocator(name)) {
            for (byte[] start : regions.getStartKeys()) {
                table.exists(new Get(start.length == 0 ? new byte[1] : start));
            }
        }
    }
}
