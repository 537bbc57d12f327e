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
 * Counts what an account has in blobs, a page at a time, so that it holds up nothing for long. What changes meanwhile is
 * counted as it is found. For one thread.
 */
final class CapacityCount {
    private final BlobService blobs;
    private final String account;
    private final Instant day;
    private final Deque<ContainerName> waiting = new ArrayDeque<>();

    /** Empty when all containers have been seen. */
    private Optional<String> nextContainers = Optional.of("");

    /** Where to go on in the first of those that wait. */
    private Cursor from = Cursor.START;

    private Sum data = Sum.NONE;
    private Sum ofAnalytics = Sum.NONE;

    /** The manifest of the version before: a snapshot of what has not changed since takes no room of its own. */
    private String manifest = "";

    /**
     * What it came to.
     *
     * @param objects blobs, also those of which there are only blocks yet, and no snapshots
     */
    record Sum(long bytes, long containers, long objects) {
        static final Sum NONE = new Sum(0, 0, 0);

        private Sum plus(long moreBytes, long moreContainers, long moreObjects) {
            return new Sum(bytes + moreBytes, containers + moreContainers, objects + moreObjects);
        }
    }

    /** @param day the one that it is counted for */
    CapacityCount(BlobService blobs, String account, Instant day) {
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

    /** What clients have stored. */
    Sum data() {
        return data;
    }

    /** What is in {@code $logs}. */
    Sum ofAnalytics() {
        return ofAnalytics;
    }

    /** Counts a page; false when there was nothing left to count. */
    boolean step() {
        if (!waiting.isEmpty()) {
            countSome(waiting.element());
            return true;
        }
        if (nextContainers.isEmpty()) {
            return false;
        }
        Page<Container, String> page =
                Await.on(blobs.containers().list(account, "", Limits.BLOBS_PAGE_MAX, nextContainers));
        page.items().forEach(container -> waiting.add(new ContainerName(container.name())));
        nextContainers = page.next();
        return true;
    }

    private void countSome(ContainerName container) {
        Optional<Cursor> next = Optional.empty();
        boolean first = from.equals(Cursor.START);
        try {
            Page<BlobLister.Entry, BlobLister.Cursor> page = Await.on(blobs.lister()
                    .list(account, container, new BlobLister.Query("", "", Limits.BLOBS_PAGE_MAX, true, true), from));
            count(container, first, page);
            next = page.next();
        } catch (StorageException e) {
            // Deleted meanwhile, and then there is nothing left to count in it.
            if (e.error() != StorageError.CONTAINER_NOT_FOUND) {
                throw e;
            }
        }
        from = next.orElse(Cursor.START);
        if (next.isEmpty()) {
            waiting.remove();
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
