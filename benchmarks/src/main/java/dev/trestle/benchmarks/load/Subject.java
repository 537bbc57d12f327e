package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A target with its data, ready to be measured.
 *
 * @param queue the queue, if a workload uses one
 * @param container the container of blobs, if a workload uses one
 * @param process the server's process, if it is visible
 */
public record Subject(
        Target target,
        Optional<QueueTarget> queue,
        Optional<BlobTarget> container,
        DataSet data,
        InsertKeys inserts,
        Optional<WatchedProcess> process) {
    /** Sends one request and checks the response. */
    public void call(Workload workload) throws IOException {
        try (Caller caller = new Caller(address(workload))) {
            newRequests(new SplittableRandom()).next(workload).perform(caller);
        }
    }

    /** Returns the address of the service that the workload uses. */
    Address address(Workload workload) {
        if (workload.isOfBlobs()) {
            return container.orElseThrow().endpoint().address();
        }
        return workload.isOfQueues() ? queue.orElseThrow().endpoint().address() : target.address();
    }

    /** Whether the target implements the workload. */
    boolean speaks(Workload workload) {
        if (workload.isOfBlobs()) {
            return container.isPresent();
        }
        return workload.isOfQueues() ? queue.isPresent() : target.speaks(workload);
    }

    /** Returns the number of entities or blobs of the workload. */
    long size(Workload workload) {
        return workload.isOfBlobs() ? container.map(BlobTarget::blobs).orElse(0L) : data.entities();
    }

    OptionalLong cpuMicros() {
        return process.map(WatchedProcess::cpuMicros).orElse(OptionalLong.empty());
    }

    Requests newRequests(RandomGenerator random) {
        return new Requests(target.newDialect(), queue.map(QueueTarget::newDialect), container, data, inserts, random);
    }

    void awaitIdle() throws InterruptedException {
        if (process.isPresent()) {
            process.get().awaitIdle();
        }
    }
}
