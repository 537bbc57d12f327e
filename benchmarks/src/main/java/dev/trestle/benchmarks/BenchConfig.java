package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of {@code trestle bench}.
 *
 * @param endpoint a Table endpoint, or {@link #OWN}
 * @param compare another, or {@link #BARE}; measured in turns with the first
 * @param queueEndpoint the Queue endpoint of the same server; empty where the server is started for the run
 * @param messages how many are in the queue when anything is measured
 * @param blobEndpoint the Blob endpoint, likewise
 * @param blobs how many are in the container when anything is measured
 * @param stream the size of one large blob to measure instead, in bytes
 * @param entities how many are in the table when anything is measured
 * @param workingSet how many of them are read; all of them with growth
 * @param growth sizes of the table to measure one after the other instead, each on a separate server
 * @param data the folder for the data of servers started here, kept; a temporary one if empty
 * @param drop whether the table is deleted at the end
 * @param json the file for the figures as JSON, {@code -} for standard output and nothing else there
 * @param serve the command that starts a server on any free port, less {@code --data}
 */
public record BenchConfig(
        Endpoint.Given endpoint,
        Optional<Endpoint.Given> compare,
        Optional<Endpoint.Given> queueEndpoint,
        long messages,
        Optional<Endpoint.Given> blobEndpoint,
        long blobs,
        OptionalLong stream,
        String table,
        long entities,
        long workingSet,
        Plan plan,
        List<Long> growth,
        Optional<Path> data,
        boolean drop,
        Optional<String> json,
        List<String> serve) {
    /** In place of an address: a server that is started for the run. */
    public static final String OWN = "own";

    /** In place of an address: the bare loop, started for the run. */
    public static final String BARE = "bare";

    static final String STANDARD_OUTPUT = "-";

    public BenchConfig {
        growth = List.copyOf(growth);
        serve = List.copyOf(serve);
    }

    /** Whether a queue is asked for. */
    boolean usesQueues() {
        return plan.workloads().stream().anyMatch(Workload::isOfQueues);
    }

    /** Whether a container of blobs is asked for. */
    boolean usesBlobs() {
        return plan.workloads().stream().anyMatch(Workload::isOfBlobs);
    }

    /** Whether nothing else is, so that there need be no table. */
    boolean usesBlobsOnly() {
        return plan.workloads().stream().allMatch(Workload::isOfBlobs);
    }

    /** Returns the number of entities, or of blobs if only blobs are measured. */
    long size() {
        return usesBlobsOnly() ? blobs : entities;
    }

    boolean jsonOnly() {
        return json.filter(STANDARD_OUTPUT::equals).isPresent();
    }
}
