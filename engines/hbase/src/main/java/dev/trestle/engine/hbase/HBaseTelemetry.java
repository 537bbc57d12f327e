package dev.trestle.engine.hbase;

import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommonMetrics;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Metric;
import java.util.List;

/** The metrics of this engine. Those of the cluster come from its region servers, through {@link Regions}. */
final class HBaseTelemetry implements EngineTelemetry {
    private final List<Metric> metrics;
    private volatile CommitObserver observer = CommitObserver.NONE;

    HBaseTelemetry(CommonMetrics common) {
        this.metrics = common.metrics();
    }

    @Override
    public List<Metric> metrics() {
        return metrics;
    }

    @Override
    public void observe(CommitObserver next) {
        observer = next;
    }

    CommitObserver observer() {
        return observer;
    }
}
