package dev.trestle.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Writes the settings that ZooKeeper, Hadoop and HBase read from the first folder on their class path. */
final class ClusterFiles {
    static final String ZOOKEEPER_FILE = "zoo.cfg";

    private final Path data;
    private final Layout layout;
    private final Map<String, Object> settings = new TreeMap<>();

    private ClusterFiles(Path data, Layout layout) {
        this.data = data;
        this.layout = layout;
    }

    static void write(Path data, Path folder, Layout layout) throws IOException {
        // A name node and a data node insist on serving web pages; from here on they find none to serve.
        Files.createDirectories(folder.resolve("webapps/hdfs"));
        Files.createDirectories(folder.resolve("webapps/datanode"));
        ClusterFiles files = new ClusterFiles(data, layout);
        files.gather();
        files.writeSite(folder.resolve("hbase-site.xml"), ClusterFiles::ofHbase);
        files.writeSite(folder.resolve("hdfs-site.xml"), key -> key.startsWith("dfs."));
        files.writeSite(folder.resolve("core-site.xml"), key -> !ofHbase(key) && !key.startsWith("dfs."));
        Files.write(
                folder.resolve(ZOOKEEPER_FILE),
                List.of(
                        "dataDir=" + data.resolve("zookeeper"),
                        "clientPortAddress=127.0.0.1",
                        "clientPort=" + layout.port("zookeeper"),
                        // Sessions may last 2 to 20 ticks.
                        "tickTime=1000",
                        "maxClientCnxns=0",
                        "preAllocSize=4096",
                        "admin.enableServer=false"));
        Files.write(
                folder.resolve("log4j.properties"),
                List.of(
                        "log4j.rootLogger=INFO, out",
                        "log4j.appender.out=org.apache.log4j.ConsoleAppender",
                        "log4j.appender.out.layout=org.apache.log4j.PatternLayout",
                        "log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{1}: %m%n"));
    }

    private void gather() {
        settings.put("hadoop.tmp.dir", data.resolve("tmp"));
        if (layout.oneJvm()) {
            // The default local file system writes checksum files, and therefore never syncs.
            settings.put("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
            settings.put("fs.defaultFS", "file:///");
            settings.put("hbase.rootdir", data.resolve("hbase").toUri());
        } else {
            gatherHdfs();
            settings.put("hbase.rootdir", address("hdfs://", "namenode") + "/hbase");
        }
        gatherHbase();
    }

    private void gatherHdfs() {
        settings.put("fs.defaultFS", address("hdfs://", "namenode"));
        settings.put("dfs.replication", 1);
        settings.put("dfs.permissions.enabled", false);
        settings.put("dfs.namenode.name.dir", data.resolve("namenode").toUri());
        settings.put("dfs.namenode.http-address", address("", "namenode-http"));
        settings.put("dfs.namenode.datanode.registration.ip-hostname-check", false);
        settings.put("dfs.namenode.safemode.extension", 0);
        settings.put("dfs.datanode.data.dir", data.resolve("datanode").toUri());
        settings.put("dfs.datanode.hostname", "127.0.0.1");
        settings.put("dfs.datanode.address", address("", "datanode"));
        settings.put("dfs.datanode.http.address", address("", "datanode-http"));
        settings.put("dfs.datanode.ipc.address", address("", "datanode-ipc"));
        // A write-ahead log is dropped once its rows are in a store file: that one has to be on the disk as well.
        settings.put("dfs.datanode.synconclose", true);
        // The file of a killed region server is closed by orders that the data node fetches with its heartbeats.
        settings.put("dfs.heartbeat.interval", 1);
    }

    private void gatherHbase() {
        settings.put("hbase.cluster.distributed", true);
        settings.put("hbase.tmp.dir", data.resolve("tmp"));
        settings.put("hbase.zookeeper.quorum", "127.0.0.1");
        settings.put("hbase.zookeeper.property.clientPort", layout.port("zookeeper"));
        // All roles share one process, so no session needs to expire if that process is suspended.
        settings.put("zookeeper.session.timeout", layout.oneJvm() ? 20_000 : 10_000);
        settings.put("hbase.master.hostname", "127.0.0.1");
        settings.put("hbase.master.ipc.address", "127.0.0.1");
        settings.put("hbase.master.port", layout.port("master"));
        settings.put("hbase.master.info.port", -1);
        settings.put("hbase.master.wait.on.regionservers.maxtostart", layout.servers());
        settings.put("hbase.unsafe.regionserver.hostname", "127.0.0.1");
        settings.put("hbase.regionserver.ipc.address", "127.0.0.1");
        settings.put("hbase.regionserver.info.port", -1);
        settings.put("hbase.regionserver.msginterval", 1_000);
        settings.put("hbase.hregion.memstore.flush.size", 32 << 20);
        // Commits go through an endpoint, and HBase holds those to its limit on each memstore, not to that on all:
        // many large transactions at once ended a region server for want of memory.
        settings.put("hbase.hregion.memstore.block.multiplier", 2);
        settings.put("hfile.block.cache.size", 0.25);
        settings.put("hbase.lease.recovery.first.pause", 1_000);
        settings.put("hbase.balancer.period", 60_000);
        // A range that was split lets go of the files it came from after this, and can be split or merged again.
        settings.put("hbase.hfile.compaction.discharger.interval", 2_000);
    }

    private String address(String scheme, String listener) {
        return scheme + "127.0.0.1:" + layout.port(listener);
    }

    private static boolean ofHbase(String key) {
        return key.startsWith("hbase.") || key.startsWith("zookeeper.");
    }

    private void writeSite(Path file, Predicate<String> belongs) throws IOException {
        String properties = settings.entrySet().stream()
                .filter(setting -> belongs.test(setting.getKey()))
                .map(setting -> "  <property><name>" + setting.getKey() + "</name><value>"
                        + escaped(setting.getValue().toString()) + "</value></property>\n")
                .collect(Collectors.joining());
        Files.writeString(file, "<configuration>\n" + properties + "</configuration>\n");
    }

    private static String escaped(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
