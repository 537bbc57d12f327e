package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Measurement;
import dev.trestle.benchmarks.load.Subject;
import dev.trestle.benchmarks.load.WatchedProcess;
import dev.trestle.benchmarks.load.Workload;
import dev.trestle.benchmarks.report.Restart;
import dev.trestle.benchmarks.report.Server;
import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Measures tables of increasing size, each on a new server, and then restarts that server on its data. */
final class Growth {
    private final BenchConfig config;
    private final Servers servers;
    private final PrintStream err;
    private final List<Server> known = new ArrayList<>();
    private final List<Measured> measured = new ArrayList<>();
    private final List<Restart> restarts = new ArrayList<>();

    Growth(BenchConfig config, Servers servers, PrintStream err) {
        this.config = config;
        this.servers = servers;
        this.err = err;
    }

    /** Measures all sizes up to the first error. */
    void run() throws IOException, InterruptedException {
        for (long entities : config.growth()) {
            if (measured.stream().anyMatch(one -> one.outcome().errors() > 0)) {
                return;
            }
            stage(entities);
        }
    }

    private void stage(long entities) throws IOException, InterruptedException {
        Path folder = servers.workspace().folder(BenchConfig.OWN + "-" + entities);
        DataSet data = DataSet.of(entities, config.workingSet());
        try (ServerProcess child = servers.startOwn(folder)) {
            Servers.Side side = servers.own(child, data);
            known.add(side.server());
            measured.addAll(new Measurement(config.plan(), Optional.empty())
                    .measureAll(
                            side.subject(),
                            workload -> err.printf(
                                    Locale.ROOT, "Measuring %s with %,d entities%n", workload.word(), entities)));
        }
        restart(folder, data);
        if (config.data().isEmpty()) {
            Workspace.delete(folder);
        }
    }

    private void restart(Path folder, DataSet data) throws IOException, InterruptedException {
        long folderBytes = Workspace.bytes(folder);
        long begun = System.nanoTime();
        try (ServerProcess child = servers.startOwn(folder)) {
            Subject subject = servers.own(child, data).subject();
            subject.call(Workload.POINT_READ);
            Duration untilServing = Duration.ofNanos(System.nanoTime() - begun);
            OptionalLong residentBytes =
                    subject.process().map(WatchedProcess::residentBytes).orElse(OptionalLong.empty());
            restarts.add(new Restart(data.entities(), untilServing, residentBytes, folderBytes));
        }
    }

    List<Server> servers() {
        return List.copyOf(known);
    }

    List<Measured> measured() {
        return List.copyOf(measured);
    }

    List<Restart> restarts() {
        return List.copyOf(restarts);
    }
}
