package dev.trestle.cli;

import dev.trestle.engine.EngineLimits;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The options of {@code trestle serve} for memory, rates, queues, threads and time-outs. */
final class LimitOptions {
    @Option(names = "--memory", paramLabel = "SIZE", defaultValue = "1g")
    long memoryBytes;

    @Option(names = "--limit-account-requests", paramLabel = "N")
    private Optional<Integer> accountRequests;

    @Option(names = "--limit-partition-entities", paramLabel = "N")
    private Optional<Integer> partitionEntities;

    @Option(names = "--rehearse-azure", arity = "0..1", fallbackValue = "true", paramLabel = "true|false")
    private boolean rehearseAzure;

    @Option(names = "--max-connections", hidden = true, paramLabel = "N", defaultValue = "10000")
    private int connectionsMax;

    @Option(names = "--max-connections-per-address", hidden = true, paramLabel = "N")
    private Optional<Integer> connectionsPerAddressMax;

    @Option(names = "--max-request-memory", hidden = true, paramLabel = "SIZE", defaultValue = "64m")
    private long requestBytesMax;

    @Option(names = "--max-response-memory", hidden = true, paramLabel = "SIZE", defaultValue = "64m")
    private long responseBytesMax;

    @Option(names = "--max-queued-commits", hidden = true, paramLabel = "N", defaultValue = "8192")
    private int commitsQueuedMax;

    @Option(names = "--max-queued-scans", hidden = true, paramLabel = "N", defaultValue = "1024")
    private int scansQueuedMax;

    @Option(names = "--scan-threads", hidden = true, paramLabel = "N")
    private Optional<Integer> scanThreads;

    @Option(names = "--read-threads", hidden = true, paramLabel = "N")
    private Optional<Integer> readThreads;

    @Option(names = "--body-timeout", hidden = true, paramLabel = "SECONDS", defaultValue = "30")
    private Duration bodyTimeout;

    @Option(names = "--request-timeout", hidden = true, paramLabel = "SECONDS", defaultValue = "30")
    private Duration requestTimeout;

    @Option(names = "--response-timeout", hidden = true, paramLabel = "SECONDS", defaultValue = "120")
    private Duration responseTimeout;

    @Option(names = "--idle-timeout", hidden = true, paramLabel = "SECONDS", defaultValue = "120")
    private Duration idleTimeout;

    @Option(names = "--stop-timeout", hidden = true, paramLabel = "SECONDS", defaultValue = "20")
    private Duration stopTimeout;

    /** Returns the limits of clients. */
    HttpConfig http() {
        RateLimits otherwise = rehearseAzure ? RateLimits.AZURE : RateLimits.NONE;
        return new HttpConfig(
                connectionsMax,
                connectionsPerAddressMax.orElseGet(() -> HttpLimits.connectionsPerAddressMax(connectionsMax)),
                requestBytesMax,
                responseBytesMax,
                HttpLimits.REQUEST_LINE_BYTES_MAX,
                HttpLimits.HEADERS_BYTES_MAX,
                new TimeLimits(bodyTimeout, requestTimeout, responseTimeout, idleTimeout, stopTimeout),
                new RateLimits(
                        accountRequests.map(OptionalInt::of).orElse(otherwise.accountRequests()),
                        partitionEntities.map(OptionalInt::of).orElse(otherwise.partitionEntities())));
    }

    /** Returns the limits of the storage engine. */
    EngineLimits engine() {
        return new EngineLimits(
                commitsQueuedMax,
                EngineLimits.DEFAULT.commitBytesQueuedMax(),
                scansQueuedMax,
                EngineLimits.DEFAULT.readsQueuedMax(),
                scanThreads.map(OptionalInt::of).orElse(OptionalInt.empty()),
                readThreads.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }
}
