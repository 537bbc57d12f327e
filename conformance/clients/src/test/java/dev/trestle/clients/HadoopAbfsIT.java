package dev.trestle.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Hadoop's newer file system for Azure, abfs, on an account without hierarchical namespace: by the Blob service alone. */
class HadoopAbfsIT extends HadoopFileSystemContract {
    @Override
    String name() {
        return "abfs";
    }

    @Override
    Path root(Server server, Configuration configuration) {
        String host = Server.ACCOUNT + ".dfs.core.windows.net";
        configuration.set("fs.azure.account.key." + host, Server.KEY);
        configuration.set("fs.azure.account.auth.type", "SharedKey");
        configuration.setBoolean("fs.azure.account.hns.enabled", false);
        configuration.set("fs.azure.fns.account.service.type", "BLOB");
        configuration.setBoolean("fs.azure.always.use.https", false);
        configuration.set("fs.azure.abfs.endpoint", "127.0.0.1:" + server.blobPort());
        return new Path("abfs://" + CONTAINER + "@" + host + "/");
    }

    @Test
    void what_was_flushed_is_read_while_the_file_is_written() throws IOException {
        try (FSDataOutputStream out = files.create(new Path("/wal/log"))) {
            out.write("one\n".getBytes(UTF_8));
            out.hsync();
            assertThat(read("/wal/log")).isEqualTo("one\n");
            out.write("two\n".getBytes(UTF_8));
            out.hsync();
            assertThat(read("/wal/log")).isEqualTo("one\ntwo\n");
        }
        assertThat(read("/wal/log")).isEqualTo("one\ntwo\n");
    }
}
