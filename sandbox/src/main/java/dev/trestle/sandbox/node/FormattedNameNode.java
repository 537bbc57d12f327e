package dev.trestle.sandbox.node;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A name node that makes its folder ready on the first start, where otherwise another process would have to. */
public final class FormattedNameNode {
    private FormattedNameNode() {}

    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new HdfsConfiguration();
        Path folder =
                Path.of(FSNamesystem.getNamespaceDirs(configuration).iterator().next());
        if (!Files.exists(folder.resolve("current/VERSION"))) {
            // Formatting registers metrics, and only this mode lets the name node register them again.
            DefaultMetricsSystem.setMiniClusterMode(true);
            NameNode.format(configuration);
        }
        NameNode.main(arguments);
    }
}
