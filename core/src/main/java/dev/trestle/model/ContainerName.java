package dev.trestle.model;

import java.util.Set;

/** A valid container name: the rules of queue names, or one of the reserved names. */
public record ContainerName(String value) {
    private static final Set<String> OF_THE_SERVICE = Set.of("$root", "$logs", "$web", "$blobchangefeed");

    /** The container of blobs whose URLs have no container. */
    public static final ContainerName ROOT = new ContainerName("$root");

    /** The container of the logs of Storage Analytics. */
    public static final ContainerName LOGS = new ContainerName("$logs");

    public ContainerName {
        if (!OF_THE_SERVICE.contains(value)) {
            new QueueName(value);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
