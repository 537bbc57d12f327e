package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A target that holds its data, ready to be measured.
 *
 * @param queue beside the table, where one is asked for
 * @param container of blobs, likewise
 * @param process the server's, where it can be seen
 */
public record Subject(
        Target target,
        Optional<QueueTarget> queue,
        Optional<BlobTarget> container,
        DataSet data,
        InsertKeys inserts,
        Optional<WatchedProcess> process) {
    /** Makes one request and checks its answer. */
    public void call(Workload workload) throws IOException {
        try (Caller caller = new Caller(address(workload))) {
            newRequests(new SplittableRandom()).next(workload).perform(caller);
        }
    }

    /** Where the workload's requests go. */
    Address address(Workload workload) {
        if (workload.isOfBlobs()) {
            return container.orElseThrow().endpoint().address();
        }
        return workload.isOfQueues() ? queue.orElseThrow().endpoint().address() : target.address();
    }

    /** Whether the workload can be asked of it. */
    boolean speaks(Workload workload) {
        if (workload.isOfBlobs()) {
            return container.isPresent();
        }
        return workload.isOfQueues() ? queue.isPresent() : target.speaks(workload);
    }

    /** How many entities or blobs are there for the workload. */
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
