package dev.trestle.model;

import java.util.Set;

/** A legal container name: that of a queue, or one of a few that the service itself gives a meaning. */
public record ContainerName(String value) {
    private static final Set<String> OF_THE_SERVICE = Set.of("$root", "$logs", "$web", "$blobchangefeed");

    /** Where blobs live whose addresses name no container. */
    public static final ContainerName ROOT = new ContainerName("$root");

    /** Where the service writes what was asked of it. */
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
