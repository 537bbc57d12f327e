package dev.trestle.server.analytics;

import static dev.trestle.server.analytics.Requests.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.engine.EngineException;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.EdmValue;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.testkit.FaultyEngine;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Capacity metrics of accounts. */
class CapacityTest extends AnalyticsFixture {
    private static final String CAPACITY = "$MetricsCapacityBlob";

    private static ServiceProperties hourly(Optional<Integer> days) {
        return ServiceProperties.DEFAULT.withHourMetrics(
                new Metrics("1.0", true, Optional.of(false), new Retention(days)));
    }

    private void put(String container, String name, int bytes) {
        BlobAddress address = new BlobAddress(ACCOUNT, new ContainerName(container), new BlobName(name));
        NewBlob made = new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), AccessConditions.NONE, true);
        Futures.await(blobs.blocks().put(address, made, StagedContent.inMemory(new byte[bytes], 0, bytes)));
    }

    private void container(String name) {
        Futures.await(blobs.containers().create(ACCOUNT, new ContainerName(name), Map.of(), PublicAccess.NONE));
    }

    private static Map<String, EdmValue> capacity(long bytes, long containers, long objects) {
        return Map.of(
                "Capacity", new EdmValue.Int64(bytes),
                "ContainerCount", new EdmValue.Int64(containers),
                "ObjectCount", new EdmValue.Int64(objects));
    }

    @Test
    void what_is_in_blobs_is_counted_once_a_day_apart_from_logs() {
        set(Service.BLOB, hourly(Optional.empty()).withLogging(new Logging("1.0", true, true, true, Retention.OFF)));
        container("empty");
        container("photos");
        put("photos", "a", 100);
        put("photos", "b", 1000);
        BlobAddress snapped = new BlobAddress(ACCOUNT, new ContainerName("photos"), new BlobName("b"));
        Futures.await(blobs.snapshot(snapped, AccessConditions.NONE, Map.of()));
        Futures.await(blobs.snapshot(snapped, AccessConditions.NONE, Map.of()));
        put("photos", "b", 3000);
        Futures.await(blobs.blocks()
                .putBlock(
                        new BlobAddress(ACCOUNT, new ContainerName("photos"), new BlobName("half")),
                        "AAAA",
                        Optional.empty(),
                        StagedContent.inMemory(new byte[10], 0, 10)));
        analytics.finished(Requests.of(Service.BLOB, Operations.of(Service.BLOB, "GetBlob"))
                .made());
        analytics.flushLogs();
        long logged = logs("").get(0).length();
        analytics.countBlobs();
        assertThat(rows(CAPACITY))
                .isEqualTo(Map.of(
                        "20260302T0000 data", capacity(4100, 2, 3),
                        "20260302T0000 analytics", capacity(logged, 1, 1)));
        put("photos", "c", 1);
        analytics.countBlobs();
        analytics(1 << 20).countBlobs();
        assertThat(rows(CAPACITY)).containsEntry("20260302T0000 data", capacity(4100, 2, 3));
        clock.move(Duration.ofHours(14));
        analytics.countBlobs();
        assertThat(rows(CAPACITY))
                .containsEntry("20260303T0000 data", capacity(4101, 2, 4))
                .hasSize(4);
    }

    @Test
    void many_blobs_are_counted_a_few_at_a_time() {
        set(Service.BLOB, hourly(Optional.empty()));
        for (int i = 0; i < 25; i++) {
            container("photos" + i);
            put("photos" + i, "a", 2);
        }
        analytics.countBlobs();
        assertThat(rows(CAPACITY)).isEmpty();
        Futures.await(blobs.containers().delete(ACCOUNT, new ContainerName("photos24"), AccessConditions.NONE));
        for (int i = 0; i < 3; i++) {
            analytics.countBlobs();
        }
        assertThat(rows(CAPACITY)).hasSize(2);
    }

    @Test
    void nobody_is_counted_who_has_no_metrics() {
        container("photos");
        analytics.countBlobs();
        assertThat(Futures.await(tables.findTable(ACCOUNT, new TableName(CAPACITY))))
                .isEmpty();
    }

    @Test
    void a_count_that_fails_goes_on_the_next_time() {
        set(Service.BLOB, hourly(Optional.empty()));
        container("photos");
        put("photos", "a", 2);
        engine.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.FULL);
        assertThatThrownBy(analytics::countBlobs).isInstanceOf(StorageException.class);
        analytics.countBlobs();
        assertThat(rows(CAPACITY)).containsEntry("20260302T0000 data", capacity(2, 1, 1));
    }

    @Test
    void counts_are_deleted_when_they_were_kept_long_enough() {
        set(Service.BLOB, hourly(Optional.of(2)));
        analytics.countBlobs();
        clock.move(Duration.ofDays(2));
        analytics.sweep();
        assertThat(rows(CAPACITY)).hasSize(2);
        clock.move(Duration.ofDays(1));
        analytics.sweep();
        assertThat(rows(CAPACITY)).isEmpty();
    }
}
