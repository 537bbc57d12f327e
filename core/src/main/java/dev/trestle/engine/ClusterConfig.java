package dev.trestle.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a cluster is, and which part of it stores the data.
 *
 * @param quorum {@code host:port} of its ZooKeeper servers, comma-separated; from {@code configuration} if empty
 * @param configuration folder of the client's configuration files, such as {@code hbase-site.xml}
 * @param namespace the namespace of the tables
 * @param contentFolder URI of the folder for contents; the engine derives one from {@code configuration} if empty
 */
public record ClusterConfig(
        Optional<String> quorum, Optional<Path> configuration, String namespace, Optional<String> contentFolder) {
    public static final String DEFAULT_NAMESPACE = "trestle";
}
