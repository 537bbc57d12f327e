package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A target that holds its data, ready to be measured.
 *
 * @param process the server's, where it can be seen
 */
public record Subject(Target target, DataSet data, InsertKeys inserts, Optional<WatchedProcess> process) {
    /** Makes one request and checks its answer. */
    public void call(Workload workload) throws IOException {
        try (Caller caller = new Caller(target.address())) {
            caller.call(newRequests(new SplittableRandom()).next(workload));
        }
    }

    OptionalLong cpuMicros() {
        return process.map(WatchedProcess::cpuMicros).orElse(OptionalLong.empty());
    }

    Requests newRequests(RandomGenerator random) {
        return new Requests(target.newDialect(), data, inserts, random);
    }

    void awaitIdle() throws InterruptedException {
        if (process.isPresent()) {
            process.get().awaitIdle();
        }
    }
}
