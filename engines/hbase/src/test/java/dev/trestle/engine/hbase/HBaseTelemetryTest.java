package dev.trestle.engine.hbase;

import dev.trestle.engine.CommonMetrics;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.testkit.TelemetryContract;
import java.time.Duration;

class HBaseTelemetryTest extends TelemetryContract {
    private final ConcurrencyLimit limit = new ConcurrencyLimit("reads", 1, 1, Duration.ofSeconds(1));

    @Override
    protected EngineTelemetry telemetry() {
        return new HBaseTelemetry(
                new CommonMetrics(() -> 0, limit::queued, limit::inFlight, limit::queued, limit::inFlight, () -> 0));
    }
}
