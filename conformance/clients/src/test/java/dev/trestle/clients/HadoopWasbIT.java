package dev.trestle.clients;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's older file system for Azure, wasb. It puts the account into the host name, which {@code src/test/resources/hosts} leads to
 * this machine, and takes a port after it.
 */
class HadoopWasbIT extends HadoopFileSystemContract {
    @Override
    String name() {
        return "wasb";
    }

    @Override
    Path root(Server server, Configuration configuration) {
        String host = Server.ACCOUNT + ".blob.core.windows.net:" + server.blobPort();
        configuration.set("fs.azure.account.key." + host, Server.KEY);
        configuration.setBoolean("fs.azure.always.use.https", false);
        configuration.setBoolean("fs.azure.enable.append.support", true);
        return new Path("wasb://" + CONTAINER + "@" + host + "/");
    }
}
