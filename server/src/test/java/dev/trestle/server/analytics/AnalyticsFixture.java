package dev.trestle.server.analytics;

import static dev.trestle.server.analytics.Requests.ACCOUNT;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.filter.Filter;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.EdmValue;
import dev.trestle.model.TableName;
import dev.trestle.server.auth.Accounts;
import dev.trestle.table.EntityPage;
import dev.trestle.table.EntityQuery;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/** Analytics of the development account, on an engine in memory and a clock that the tests move. */
abstract class AnalyticsFixture {
    static final Metrics ALL_METRICS = new Metrics("1.0", true, Optional.of(true), Retention.OFF);

    final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:15:30Z"));
    final FaultyEngine engine = new FaultyEngine(new ModelEngine(clock));
    final ModelContents contents = new ModelContents();
    final Map<Service, Catalogue> catalogues = new EnumMap<>(Service.class);
    final BlobService blobs;
    final TableService tables;
    final Analytics analytics;

    AnalyticsFixture() {
        for (Service service : Service.values()) {
            catalogues.put(
                    service,
                    new Catalogue(
                            service, engine, clock, new Random(service.word().hashCode())));
        }
        catalogues.put(Service.BLOB, catalogue(Service.BLOB).with(contents));
        blobs = new BlobService(engine, contents, catalogue(Service.BLOB), clock, new Random(1), trouble -> {});
        tables = new TableService(engine, catalogue(Service.TABLE));
        analytics = analytics(AnalyticsConfig.DEFAULT.bufferedBytesMax());
    }

    Catalogue catalogue(Service service) {
        return Objects.requireNonNull(catalogues.get(service));
    }

    Analytics analytics(long bytesMax) {
        Analytics made = new Analytics(
                new AnalyticsConfig(
                        Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), bytesMax),
                Accounts.DEVELOPMENT,
                clock);
        catalogues.forEach((service, catalogue) -> made.watch(service, catalogue::properties));
        made.logTo(blobs);
        made.measureTo(tables);
        return made;
    }

    void set(Service service, ServiceProperties properties) {
        Futures.await(catalogue(service).setProperties(ACCOUNT, properties));
    }

    static ServiceProperties logging(boolean read, boolean write, boolean delete, Optional<Integer> days) {
        return ServiceProperties.DEFAULT.withLogging(new Logging("1.0", read, write, delete, new Retention(days)));
    }

    List<Blob> logs(String prefix) {
        if (Futures.await(blobs.containers().find(ACCOUNT, ContainerName.LOGS)).isEmpty()) {
            return List.of();
        }
        return Futures.await(blobs.lister()
                        .list(
                                ACCOUNT,
                                ContainerName.LOGS,
                                new BlobLister.Query(prefix, "", 1000, false, false),
                                BlobLister.Cursor.START))
                .items()
                .stream()
                .map(entry -> ((BlobLister.Listed) entry).blob())
                .toList();
    }

    List<String> names(String prefix) {
        return logs(prefix).stream().map(Blob::name).toList();
    }

    List<String> lines(String name) {
        BlobAddress address = new BlobAddress(ACCOUNT, ContainerName.LOGS, new BlobName(name));
        BlobService.Opened opened = Futures.await(blobs.open(
                address, OptionalLong.empty(), AccessConditions.NONE, blob -> new BlobService.Range(0, blob.length())));
        ByteBuffer bytes = ByteBuffer.allocate((int) opened.range().length());
        while (bytes.hasRemaining()) {
            Futures.await(opened.reader().read(bytes));
        }
        opened.reader().close();
        return new String(bytes.array(), StandardCharsets.UTF_8).lines().toList();
    }

    /** Rows of a table of metrics by their keys. */
    Map<String, Map<String, EdmValue>> rows(String table) {
        Map<String, Map<String, EdmValue>> rows = new TreeMap<>();
        Optional<Table> found = Futures.await(tables.findTable(ACCOUNT, new TableName(table)));
        if (found.isPresent()) {
            EntityPage page = Futures.await(tables.query(
                    found.get(), new EntityQuery(Filter.ALL, Filter.ALL, List.of(), 1000, Optional.empty())));
            for (int i = 0; i < page.rows().size(); i++) {
                rows.put(
                        page.rows().key(i).partitionKey() + " "
                                + page.rows().key(i).rowKey(),
                        TransactionMetricsTest.columns(page.rows().row(i)));
            }
        }
        return rows;
    }
}
