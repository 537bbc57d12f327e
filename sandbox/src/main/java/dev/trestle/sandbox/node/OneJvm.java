package dev.trestle.sandbox.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** ZooKeeper, a master and region servers in this process, with their data on the local file system. */
public final class OneJvm {
    private OneJvm() {}

    /**
     * Runs until the master ends.
     *
     * @param arguments the settings of ZooKeeper, the file to make once the cluster serves, and a port for each region
     *     server
     */
    public static void main(String[] arguments) throws Exception {
        ServerConfig zookeeper = new ServerConfig();
        zookeeper.parse(arguments[0]);
        startDaemon("zookeeper", () -> new ZooKeeperServerMain().runFromConfig(zookeeper));
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration cluster = HBaseConfiguration.create();
        HMaster master = new HMaster(cluster);
        master.start();
        Map<Integer, Long> servers = new HashMap<>();
        for (String port : List.of(arguments).subList(2, arguments.length)) {
            servers.put(Integer.valueOf(port), 0L);
            startServer(cluster, Integer.parseInt(port));
        }
        startDaemon("readiness", () -> {
            Readiness.await(cluster, servers);
            Files.createFile(Path.of(arguments[1]));
        });
        master.join();
        // A cluster whose master has failed must not go on half alive.
        System.exit(master.isAborted() ? 1 : 0);
    }

    private static void startServer(Configuration cluster, int port) throws IOException {
        Configuration own = new Configuration(cluster);
        own.setInt("hbase.regionserver.port", port);
        new HRegionServer(own).start();
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void startDaemon(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Exception e) {
                        e.printStackTrace();
                        Runtime.getRuntime().halt(1);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
