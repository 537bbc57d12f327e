package dev.trestle.engine.hbase;

import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Bytes;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page with an HBase scan, which returns matching rows and, if a region server finds none for a while, a
 * cursor. The client calls it sequentially.
 *
 * <p>The results of one scanner are a snapshot of each partition. If a region moves or its server terminates, the
 * client opens another scanner after the last row, with a later snapshot; so the page ends with that row.
 */
final class PageScan implements AdvancedScanResultConsumer {
    /** The least row key; internal rows of the engine are below. */
    static final byte[] FIRST = {1};

    private static final Duration TIME_MAX = Duration.ofDays(365);

    /** A region server that finds nothing sends a heartbeat after half of this. */
    private static final Duration CALL_TIME_MIN = Duration.ofSeconds(1);

    private static final int CALL_ROWS_MAX = 1001;
    private static final long CALL_BYTES_MAX = 4L << 20;

    private final Scan scan;
    private final List<KeyRange> ranges;
    private final PushedFilter pushed;
    private final RowMatcher matcher;
    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final LongConsumer versions;
    private final RowPage.Builder page = RowPage.Builder.pooled();
    private final CompletableFuture<RowPage> done = new CompletableFuture<>();
    private final RowBuilder row = new RowBuilder();
    private final RowReader reader = new RowReader();
    private final long startNanos = System.nanoTime();
    private final long limitNanos;
    private ScanMetrics metrics = new ScanMetrics();
    private byte @Nullable [] last;
    private long scanners;
    private long retries;
    private long received;
    private boolean stopped;

    private PageScan(
            AsyncConnection connection, TableName name, Scan scan, Duration requestTimeout, LongConsumer versions) {
        this.scan = scan;
        this.ranges = own(scan.ranges());
        this.versions = versions;
        this.matcher = RowMatcher.of(scan.filter());
        this.pushed = PushedFilter.of(scan.filter(), collection(ranges));
        Duration time =
                scan.limits().time().compareTo(TIME_MAX) < 0 ? scan.limits().time() : TIME_MAX;
        this.limitNanos = time.toNanos();
        Duration call = time.compareTo(CALL_TIME_MIN) < 0 ? CALL_TIME_MIN : time;
        this.table = connection
                .getTableBuilder(name)
                .setReadRpcTimeout(Math.min(call.toMillis(), requestTimeout.toMillis()), TimeUnit.MILLISECONDS)
                .setScanTimeout(requestTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }

    /** Returns the ranges without internal rows of the engine. */
    private static List<KeyRange> own(List<KeyRange> all) {
        List<KeyRange> ranges = new ArrayList<>(all.size());
        for (KeyRange range : all) {
            KeyRange own = range.startingAt(FIRST);
            if (!own.isEmpty()) {
                ranges.add(own);
            }
        }
        return ranges;
    }

    /** Returns the collection of all ranges, if there is only one. */
    private static OptionalLong collection(List<KeyRange> ranges) {
        if (ranges.isEmpty()) {
            return OptionalLong.empty();
        }
        // The ranges are ascending, so it suffices to compare the ends.
        long first = collection(ranges.get(0).from());
        long last = collection(ranges.get(ranges.size() - 1).to());
        return first == last && first != 0 ? OptionalLong.of(first) : OptionalLong.empty();
    }

    private static long collection(byte[] bound) {
        return bound.length < Long.BYTES ? 0 : Bytes.readLong(bound, 0);
    }

    /** @param versions receives every version that is read */
    static CompletionStage<RowPage> start(
            AsyncConnection connection, TableName name, Scan scan, Duration requestTimeout, LongConsumer versions) {
        PageScan page = new PageScan(connection, name, scan, requestTimeout, versions);
        if (page.ranges.isEmpty() || page.pushed.matchesNothing()) {
            page.complete(page.page.end());
            return page.done;
        }
        try {
            page.table.scan(page.request(), page);
        } catch (RuntimeException e) {
            page.fail(e);
        }
        return page.done;
    }

    private org.apache.hadoop.hbase.client.Scan request() {
        // One more than requested, to resume from.
        int rows = pushed.isExact() && scan.limits().rows() < Integer.MAX_VALUE
                ? scan.limits().rows() + 1
                : 0;
        org.apache.hadoop.hbase.client.Scan request = new org.apache.hadoop.hbase.client.Scan()
                .withStartRow(ranges.get(0).from())
                .withStopRow(ranges.get(ranges.size() - 1).to())
                .setCaching(rows > 0 ? Math.min(rows, CALL_ROWS_MAX) : CALL_ROWS_MAX)
                .setMaxResultSize(CALL_BYTES_MAX)
                .setNeedCursorResult(true)
                // Required to detect a new scanner, although the client then measures every cell.
                .setScanMetricsEnabled(true);
        if (rows > 0) {
            request.setLimit(rows);
        }
        if (scan.columns().isEmpty()) {
            request.addFamily(RowCells.FAMILY);
        } else {
            request.addColumn(RowCells.FAMILY, RowCells.VERSION);
            scan.columns().forEach(name -> request.addColumn(RowCells.FAMILY, Cesu8.encode(name)));
            pushed.columns().forEach(name -> request.addColumn(RowCells.FAMILY, name));
        }
        List<Filter> filters = new ArrayList<>();
        if (ranges.size() > 1) {
            // One scan for all ranges, because a scan sees a snapshot of each partition.
            List<MultiRowRangeFilter.RowRange> wanted = new ArrayList<>();
            ranges.forEach(
                    range -> wanted.add(new MultiRowRangeFilter.RowRange(range.from(), true, range.to(), false)));
            filters.add(new MultiRowRangeFilter(wanted));
        }
        pushed.filter().ifPresent(filters::add);
        if (!filters.isEmpty()) {
            request.setFilter(filters.size() == 1 ? filters.get(0) : new FilterList(filters));
        }
        return request;
    }

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
        metrics = created;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
        if (endsAfterLast(controller::terminate)) {
            return;
        }
        scanners = metrics.countOfRegions.get();
        retries = metrics.countOfRPCRetries.get();
        try {
            for (int i = 0; i < results.length && !stopped; i++) {
                take(results[i], controller);
            }
        } catch (RuntimeException e) {
            stopped = true;
            controller.terminate();
            fail(e);
        }
    }

    /**
     * Ends the page after the last row if a new scanner was opened for the same region. Only the metrics of the
     * client show that: every scanner counts as a region, and one that is opened after a failure also counts as a
     * retry.
     */
    private boolean endsAfterLast(Runnable terminate) {
        if (stopped
                || last == null
                || metrics.countOfRegions.get() == scanners
                || metrics.countOfRPCRetries.get() == retries) {
            return false;
        }
        Key key = Key.ofBytes(last);
        byte[] next = Key.of(key.collection(), key.partitionKey(), key.rowKey() + "\0")
                .bytes();
        stop(RowPage.StopReason.TIME_LIMIT, next, terminate);
        return true;
    }

    private void take(Result result, ScanController controller) {
        byte[] key = result.getRow();
        last = key;
        received++;
        if (page.size() > 0 && isOutOfTime()) {
            stop(RowPage.StopReason.TIME_LIMIT, key, controller::terminate);
            return;
        }
        if (!RowCells.write(result, row.reset())
                || (!pushed.isExact() && !matcher.matches(key, 0, key.length, row.data(), 0, row.length(), reader))) {
            return;
        }
        versions.accept(Rows.version(row.data()));
        if (page.size() >= scan.limits().rows()) {
            stop(RowPage.StopReason.ROW_LIMIT, key, controller::terminate);
        } else if (page.size() > 0
                && (long) page.bytes() + key.length + row.length()
                        > scan.limits().bytes()) {
            stop(RowPage.StopReason.BYTE_LIMIT, key, controller::terminate);
        } else {
            page.add(key, key.length, row.data(), row.length());
        }
    }

    private boolean isOutOfTime() {
        return System.nanoTime() - startNanos >= limitNanos;
    }

    @Override
    public void onHeartbeat(ScanController controller) {
        if (endsAfterLast(controller::terminate)) {
            return;
        }
        // The row of the cursor is scanned again. If it is the first one, a page that ends here would make no
        // progress.
        if (!stopped && isOutOfTime()) {
            controller
                    .cursor()
                    .map(Cursor::getRow)
                    .filter(row -> Arrays.compareUnsigned(row, ranges.get(0).from()) > 0)
                    .ifPresent(row -> stop(RowPage.StopReason.TIME_LIMIT, row, controller::terminate));
        }
    }

    private void stop(RowPage.StopReason reason, byte[] key, Runnable terminate) {
        stopped = true;
        terminate.run();
        page.examine(Math.max(1, examined()));
        complete(page.stop(reason, Key.ofBytes(key)));
    }

    private void complete(RowPage built) {
        page.close();
        done.complete(built);
    }

    private void fail(Throwable failure) {
        page.close();
        done.completeExceptionally(failure);
    }

    /**
     * Returns the rows examined. Region servers count those that a filter rejected, including recently deleted
     * ones.
     */
    private long examined() {
        return pushed.filter().isPresent() ? Math.max(received, metrics.countOfRowsScanned.get()) : received;
    }

    @Override
    public void onError(Throwable failure) {
        fail(failure);
    }

    @Override
    public void onComplete() {
        if (!stopped && !endsAfterLast(() -> {})) {
            page.examine(examined());
            complete(page.end());
        }
    }
}
