package dev.trestle.server.analytics;

import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobLister.Cursor;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Container;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Counts the blobs of an account and their bytes, page by page. It is not a snapshot: concurrent changes may or
 * may not be counted. Not thread-safe.
 */
final class CapacityCounter {
    private final BlobService blobs;
    private final String account;
    private final Instant day;
    private final Deque<ContainerName> pending = new ArrayDeque<>();

    /** Where the list of containers continues; empty after the last page. */
    private Optional<String> nextContainers = Optional.of("");

    /** Where the list of blobs of the first pending container continues. */
    private Cursor from = Cursor.START;

    private Totals data = Totals.NONE;
    private Totals ofAnalytics = Totals.NONE;

    /** The manifest of the previous version: a snapshot with the same content takes no additional space. */
    private String manifest = "";

    /**
     * The result.
     *
     * @param objects the number of blobs, including those with only uncommitted blocks, without snapshots
     */
    record Totals(long bytes, long containers, long objects) {
        static final Totals NONE = new Totals(0, 0, 0);

        private Totals plus(long moreBytes, long moreContainers, long moreObjects) {
            return new Totals(bytes + moreBytes, containers + moreContainers, objects + moreObjects);
        }
    }

    /** @param day the day of the metrics */
    CapacityCounter(BlobService blobs, String account, Instant day) {
        this.blobs = blobs;
        this.account = account;
        this.day = day;
    }

    String account() {
        return account;
    }

    Instant day() {
        return day;
    }

    /** Returns the totals of all containers but {@code $logs}. */
    Totals data() {
        return data;
    }

    /** Returns the totals of {@code $logs}. */
    Totals ofAnalytics() {
        return ofAnalytics;
    }

    /** Counts one page; returns false at the end. */
    boolean step() {
        if (!pending.isEmpty()) {
            countSome(pending.element());
            return true;
        }
        if (nextContainers.isEmpty()) {
            return false;
        }
        Page<Container, String> page =
                Futures.await(blobs.containers().list(account, "", Limits.BLOBS_PAGE_MAX, nextContainers));
        page.items().forEach(container -> pending.add(new ContainerName(container.name())));
        nextContainers = page.next();
        return true;
    }

    private void countSome(ContainerName container) {
        Optional<Cursor> next = Optional.empty();
        boolean first = from.equals(Cursor.START);
        try {
            Page<BlobLister.Entry, BlobLister.Cursor> page = Futures.await(blobs.lister()
                    .list(account, container, new BlobLister.Query("", "", Limits.BLOBS_PAGE_MAX, true, true), from));
            count(container, first, page);
            next = page.next();
        } catch (StorageException e) {
            // The container was deleted.
            if (e.error() != StorageError.CONTAINER_NOT_FOUND) {
                throw e;
            }
        }
        from = next.orElse(Cursor.START);
        if (next.isEmpty()) {
            pending.remove();
        }
    }

    private void count(ContainerName container, boolean first, Page<BlobLister.Entry, BlobLister.Cursor> page) {
        long bytes = 0;
        long objects = 0;
        for (BlobLister.Entry entry : page.items()) {
            if (entry instanceof BlobLister.Listed listed) {
                Blob blob = listed.blob();
                bytes += blob.content().manifest().equals(manifest) ? 0 : blob.length();
                objects += blob.snapshot().isPresent() ? 0 : 1;
                manifest = blob.content().manifest();
            } else {
                objects++;
            }
        }
        if (container.equals(ContainerName.LOGS)) {
            ofAnalytics = ofAnalytics.plus(bytes, first ? 1 : 0, objects);
        } else {
            data = data.plus(bytes, first ? 1 : 0, objects);
        }
    }
}
