package dev.trestle.examples;

import com.azure.storage.blob.BlobContainerClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.layout.LogBlobs;
import dev.trestle.patterns.layout.LogBlobs.Line;
import java.time.Instant;
import java.util.List;

/** Reads the log lines between 15:04 and 15:06 from blobs. */
final class LogDataExample implements Example {
    @Override
    public String name() {
        return "log-data";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        BlobContainerClient container = context.container("logs");
        Instant three = Instant.parse("2014-07-31T15:00:00Z");

        LogBlobs log = LogBlobs.of(container, "web", 20);
        for (int minute = 0; minute < 60; minute++) {
            log.log(three.plusSeconds(60L * minute), "error;minute " + minute);
        }
        log.flush();
        Instant from = Instant.parse("2014-07-31T15:04:00Z");
        Instant to = Instant.parse("2014-07-31T15:06:00Z");
        Measured<List<Line>> read = context.measure(() -> log.read(from, to));

        boolean held =
                read.value().stream().map(Line::text).toList().equals(List.of("error;minute 4", "error;minute 5"))
                        && container.listBlobs().stream().count() == 3;
        return ExampleResult.of("two minutes of an hour of logs", read, held);
    }
}
