package dev.trestle.engine.rocksdb;

import dev.trestle.engine.EngineTelemetry;
import dev.trestle.testkit.TelemetryContract;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;

class RocksTelemetryContractTest extends TelemetryContract {
    private final RocksEngine engine = RocksEngine.open(
            RocksEngineConfig.inMemory().withMemoryBytes(RocksEngineConfig.MEMORY_BYTES_MIN), InstantSource.system());

    @AfterEach
    void close() {
        engine.close();
    }

    @Override
    protected EngineTelemetry telemetry() {
        return engine.telemetry();
    }
}
