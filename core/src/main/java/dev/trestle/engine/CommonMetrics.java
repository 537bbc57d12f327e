package dev.trestle.engine;

import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The metrics that every engine reports under the same names, so that dashboards and alerts work with each of
 * them.
 *
 * @param commitsQueued commits that wait to be written
 * @param readsQueued point reads that wait for the limit of reads in flight
 * @param readsInFlight point reads that wait for the storage
 * @param scansQueued pages that wait for the limit of scans in flight
 * @param scansInFlight pages being read from the storage
 * @param collectionsDropped dropped collections that are kept in memory until {@link Engine#release}
 */
public record CommonMetrics(
        DoubleSupplier commitsQueued,
        DoubleSupplier readsQueued,
        DoubleSupplier readsInFlight,
        DoubleSupplier scansQueued,
        DoubleSupplier scansInFlight,
        DoubleSupplier collectionsDropped) {

    /** Returns all of them. */
    public List<Metric> metrics() {
        return List.of(
                Metric.gauge("engine.commits.queued", "Commits that wait to be written.", commitsQueued),
                Metric.gauge(
                        "engine.reads.queued", "Point reads that wait for the limit of reads in flight.", readsQueued),
                Metric.gauge("engine.reads.in.flight", "Point reads that wait for the storage.", readsInFlight),
                Metric.gauge("engine.scans.queued", "Pages that wait for the limit of scans in flight.", scansQueued),
                Metric.gauge("engine.scans.in.flight", "Pages being read from the storage.", scansInFlight),
                Metric.gauge(
                        "engine.collections.dropped",
                        "Dropped collections that requests in flight may still refer to.",
                        collectionsDropped));
    }
}
