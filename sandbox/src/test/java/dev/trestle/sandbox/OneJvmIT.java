package dev.trestle.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OneJvmIT {
    private static final TableName TABLE = TableName.valueOf("kept");
    private static final byte[] BYTES = "x".getBytes(StandardCharsets.UTF_8);

    @Test
    void a_killed_cluster_comes_back_where_it_was_with_what_it_acknowledged(@TempDir Path folder) throws IOException {
        try (Sandbox sandbox = Sandbox.oneJvm(folder, 1)) {
            sandbox.start();
            assertThat(sandbox.processes()).allMatch(SandboxProcess::running);
            write(sandbox.quorum());

            sandbox.kill(Role.ONE_JVM, 1);
            assertThat(sandbox.processes()).noneMatch(SandboxProcess::running);

            Sandbox again = Sandbox.existing(folder).orElseThrow();
            again.start();
            assertThat(again.quorum()).isEqualTo(sandbox.quorum());
            assertThat(isThere(again.quorum())).isTrue();

            again.stop();
            assertThat(sandbox.processes()).noneMatch(SandboxProcess::running);
        }
    }

    private static void write(String quorum) throws IOException {
        try (Connection connection = connect(quorum);
                Admin admin = connection.getAdmin();
                Table table = connection.getTable(TABLE)) {
            admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(BYTES))
                    .build());
            table.put(new Put(BYTES).addColumn(BYTES, BYTES, BYTES).setDurability(Durability.FSYNC_WAL));
        }
    }

    private static boolean isThere(String quorum) throws IOException {
        try (Connection connection = connect(quorum);
                Table table = connection.getTable(TABLE)) {
            return table.exists(new Get(BYTES));
        }
    }

    private static Connection connect(String quorum) throws IOException {
        Configuration cluster = HBaseConfiguration.create();
        cluster.set("hbase.zookeeper.quorum", quorum);
        return ConnectionFactory.createConnection(cluster);
    }
}
