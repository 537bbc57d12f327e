package dev.trestle.server.analytics;

import static dev.trestle.server.analytics.Requests.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.blob.Blob;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.engine.EngineException;
import dev.trestle.filter.Filter;
import dev.trestle.model.ContainerName;
import dev.trestle.model.EdmValue;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.server.pipeline.RequestDetails.Credentials;
import dev.trestle.testkit.FaultyEngine;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnalyticsTest extends AnalyticsFixture {
    @Test
    void only_the_kinds_that_are_switched_on_are_logged() {
        set(Service.TABLE, logging(true, false, true, Optional.empty()));
        analytics.finished(Requests.query().id("r1").made());
        analytics.finished(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "InsertEntity"))
                .made());
        clock.move(Duration.ofSeconds(90));
        analytics.finished(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "DeleteEntity"))
                .id("r2")
                .made());
        analytics.finished(Requests.of(Service.QUEUE, Operations.of(Service.QUEUE, "GetMessages"))
                .made());
        analytics.flushLogs();
        assertThat(names("")).containsExactly("table/2026/03/02/1000/000000.log");
        assertThat(lines("table/2026/03/02/1000/000000.log"))
                .extracting(line -> LogFields.of(line).get(13))
                .containsExactly("r1", "r2");
        Blob log = logs("table/2026/03/02/1000").get(0);
        assertThat(log.metadata())
                .containsEntry("LogType", "read,delete")
                .containsEntry("LogVersion", "1.0")
                .containsEntry("StartTime", "2026-03-02T10:15:29Z")
                .containsEntry("EndTime", "2026-03-02T10:16:59Z");
    }

    @Test
    void nothing_is_written_while_all_is_off() {
        for (int i = 0; i < 100; i++) {
            analytics.finished(Requests.query().made());
        }
        clock.move(Duration.ofHours(2));
        analytics.close();
        assertThat(Futures.await(blobs.containers().find(ACCOUNT, ContainerName.LOGS)))
                .isEmpty();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).isEmpty();
        assertThat(Futures.await(tables.findTable(ACCOUNT, new TableName("$MetricsHourPrimaryTransactionsTable"))))
                .isEmpty();
    }

    @Test
    void accounts_that_do_not_exist_leave_no_trace() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()));
        analytics.finished(Requests.query().account("stranger").made());
        analytics.flushLogs();
        assertThat(names("")).isEmpty();
    }

    @Test
    void of_strangers_only_successes_and_faults_of_the_service_are_logged() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()));
        analytics.finished(Requests.query()
                .by(Credentials.ANONYMOUS)
                .failed(StorageError.NO_AUTHENTICATION_INFORMATION)
                .made());
        analytics.finished(Requests.query().by(Credentials.ANONYMOUS).made());
        analytics.flushLogs();
        assertThat(lines("table/2026/03/02/1000/000000.log")).hasSize(1);
    }

    @Test
    void each_hour_and_each_service_has_logs_of_its_own() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()));
        set(Service.BLOB, logging(true, true, true, Optional.empty()));
        analytics.finished(Requests.query().made());
        analytics.finished(Requests.of(Service.BLOB, Operations.of(Service.BLOB, "GetBlob"))
                .made());
        clock.move(Duration.ofHours(1));
        analytics.finished(Requests.query().made());
        analytics.flushLogs();
        assertThat(names(""))
                .containsExactly(
                        "blob/2026/03/02/1000/000000.log",
                        "table/2026/03/02/1000/000000.log",
                        "table/2026/03/02/1100/000000.log");
    }

    @Test
    void neither_a_restart_nor_another_server_overwrites_a_log() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()));
        analytics.finished(Requests.query().id("first").made());
        analytics.flushLogs();
        Analytics other = analytics(1 << 20);
        other.finished(Requests.query().id("second").made());
        other.flushLogs();
        // This one does not know the records of the other.
        analytics.finished(Requests.query().id("third").made());
        analytics.close();
        assertThat(names("table/2026/03/02/1000/"))
                .extracting(name -> LogFields.of(lines(name).get(0)).get(13))
                .containsExactly("first", "second", "third");
    }

    @Test
    void a_large_log_is_written_too() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()));
        for (int i = 0; i < 500; i++) {
            analytics.finished(
                    Requests.query().header("User-Agent", "x".repeat(500)).made());
        }
        analytics.flushLogs();
        assertThat(lines("table/2026/03/02/1000/000000.log")).hasSize(500);
    }

    @Test
    void what_there_is_no_room_for_is_dropped_and_counted() {
        LogBuffer buffer = new LogBuffer(100);
        for (int i = 0; i < 5; i++) {
            buffer.add(new LogBuffer.Entry(
                    ACCOUNT, Service.TABLE, clock.instant(), RequestKind.READ, clock.instant(), "x".repeat(30)));
        }
        assertThat(buffer.dropped()).isEqualTo(2);
        assertThat(buffer.isHalfFull()).isTrue();
        assertThat(buffer.take()).hasSize(3);
        assertThat(buffer.take()).isEmpty();
        assertThat(buffer.isHalfFull()).isFalse();
    }

    @Test
    void what_cannot_be_written_waits_for_the_next_time() {
        set(Service.TABLE, logging(true, true, true, Optional.empty()).withHourMetrics(ALL_METRICS));
        analytics.finished(Requests.query().made());
        engine.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.FULL);
        assertThatThrownBy(analytics::flushLogs).isInstanceOf(StorageException.class);
        analytics.flushLogs();
        assertThat(lines("table/2026/03/02/1000/000000.log")).hasSize(1);
        clock.move(Duration.ofHours(1));
        engine.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.FULL);
        assertThatThrownBy(analytics::flushMetrics).isInstanceOf(StorageException.class);
        analytics.flushMetrics();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).hasSize(2);
    }

    @Test
    void logs_are_deleted_when_they_were_kept_long_enough() {
        set(Service.TABLE, logging(true, true, true, Optional.of(2)));
        set(Service.QUEUE, logging(true, true, true, Optional.empty()));
        analytics.finished(Requests.query().made());
        analytics.finished(Requests.of(Service.QUEUE, Operations.of(Service.QUEUE, "GetMessages"))
                .made());
        clock.move(Duration.ofDays(1));
        analytics.finished(Requests.query().made());
        analytics.flushLogs();
        clock.move(Duration.ofDays(1));
        analytics.sweep();
        assertThat(names("table/")).hasSize(2);
        clock.move(Duration.ofHours(1));
        analytics.sweep();
        assertThat(names("")).containsExactly("queue/2026/03/02/1000/000000.log", "table/2026/03/03/1000/000000.log");
    }

    @Test
    void an_hour_that_is_over_has_a_row_for_all_and_one_for_each_operation() {
        set(Service.TABLE, ServiceProperties.DEFAULT.withHourMetrics(ALL_METRICS));
        analytics.finished(Requests.query().made());
        analytics.finished(Requests.of(Service.TABLE, Operations.of(Service.TABLE, "InsertEntity"))
                .failed(StorageError.ENTITY_ALREADY_EXISTS)
                .made());
        analytics.flushMetrics();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).isEmpty();
        clock.move(Duration.ofHours(1));
        analytics.flushMetrics();
        Map<String, Map<String, EdmValue>> rows = rows("$MetricsHourPrimaryTransactionsTable");
        assertThat(rows)
                .containsOnlyKeys(
                        "20260302T1000 user;All",
                        "20260302T1000 user;InsertEntity",
                        "20260302T1000 user;QueryEntities");
        assertThat(rows.get("20260302T1000 user;All"))
                .containsEntry("TotalRequests", new EdmValue.Int64(2))
                .containsEntry("Success", new EdmValue.Int64(1))
                .containsEntry("ClientOtherError", new EdmValue.Int64(1))
                .containsEntry("PercentSuccess", new EdmValue.Real(50));
        assertThat(rows("$MetricsMinutePrimaryTransactionsTable")).isEmpty();
    }

    @Test
    void minutes_without_requests_have_a_row_too() {
        set(
                Service.QUEUE,
                ServiceProperties.DEFAULT.withMinuteMetrics(
                        new Metrics("1.0", true, Optional.of(false), Retention.OFF)));
        analytics.finished(Requests.of(Service.QUEUE, Operations.of(Service.QUEUE, "GetMessages"))
                .made());
        clock.move(Duration.ofMinutes(3));
        analytics.flushMetrics();
        assertThat(rows("$MetricsMinutePrimaryTransactionsQueue"))
                .containsOnlyKeys("20260302T1015 user;All", "20260302T1016 user;All", "20260302T1017 user;All");
    }

    @Test
    void servers_that_share_an_account_add_to_the_same_row() {
        set(Service.TABLE, ServiceProperties.DEFAULT.withHourMetrics(ALL_METRICS));
        Analytics other = analytics(1 << 20);
        analytics.finished(Requests.query().made());
        analytics.close();
        other.finished(Requests.query().made());
        other.finished(Requests.query().made());
        clock.move(Duration.ofHours(1));
        other.flushMetrics();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable").get("20260302T1000 user;All"))
                .containsEntry("TotalRequests", new EdmValue.Int64(3));
    }

    @Test
    void metrics_are_deleted_when_they_were_kept_long_enough() {
        set(
                Service.TABLE,
                ServiceProperties.DEFAULT.withHourMetrics(
                        new Metrics("1.0", true, Optional.of(false), new Retention(Optional.of(1)))));
        analytics.finished(Requests.query().made());
        clock.move(Duration.ofHours(1));
        analytics.flushMetrics();
        analytics.sweep();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).hasSize(1);
        clock.move(Duration.ofDays(1));
        analytics.sweep();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).isEmpty();
    }

    @Test
    void tables_of_metrics_are_not_listed() {
        set(Service.TABLE, ServiceProperties.DEFAULT.withHourMetrics(ALL_METRICS));
        analytics.finished(Requests.query().made());
        analytics.close();
        assertThat(rows("$MetricsHourPrimaryTransactionsTable")).isNotEmpty();
        Futures.await(tables.createTable(ACCOUNT, new TableName("abc")));
        assertThat(Futures.await(tables.queryTables(ACCOUNT, Filter.ALL, 1000, Optional.empty()))
                        .items())
                .containsExactly("abc");
    }
}
