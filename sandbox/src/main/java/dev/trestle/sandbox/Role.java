package dev.trestle.sandbox;

import java.util.List;

/** The role of a process of the cluster, in start order. */
public enum Role {
    ZOOKEEPER("zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain", 64),
    NAMENODE("namenode", "dev.trestle.sandbox.node.FormattedNameNode", 128),
    DATANODE("datanode", "org.apache.hadoop.hdfs.server.datanode.DataNode", 128),
    MASTER("master", "org.apache.hadoop.hbase.master.HMaster", 192),
    REGION_SERVER("region-server", "org.apache.hadoop.hbase.regionserver.HRegionServer", 512),
    /** ZooKeeper, the master and every region server together. */
    ONE_JVM("one-jvm", "dev.trestle.sandbox.node.OneJvm", 384);

    private final String label;
    private final String mainClass;
    private final int heapMebibytes;

    Role(String label, String mainClass, int heapMebibytes) {
        this.label = label;
        this.mainClass = mainClass;
        this.heapMebibytes = heapMebibytes;
    }

    String label() {
        return label;
    }

    String mainClass() {
        return mainClass;
    }

    /** Returns the heap options, and for lightly loaded processes the C1 compiler only, for a faster start. */
    List<String> javaOptions() {
        String heap = "-Xmx" + heapMebibytes + "m";
        return switch (this) {
            case ZOOKEEPER, NAMENODE, MASTER -> List.of(heap, "-XX:TieredStopAtLevel=1");
            case DATANODE, REGION_SERVER, ONE_JVM -> List.of(heap);
        };
    }
}
