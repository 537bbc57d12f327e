package dev.trestle.server.analytics;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlobService.Snapshots;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Upload;
import dev.trestle.catalogue.Service;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.analytics.LogBuffer.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Writes and deletes the logs in {@code $logs}. Each write creates a blob under the first unused number of its
 * hour. The blob is created only if it does not exist, so that servers with a common account, or a restarted one,
 * overwrite nothing. Not thread-safe.
 */
final class LogBlobs {
    private static final int PREFIXES_KNOWN_MAX = 1000;

    /** The numbers to try before the write fails, because other servers may use them first. */
    private static final int ATTEMPTS_MAX = 1000;

    private static final ContentHeaders HEADERS = new ContentHeaders("text/plain", "", "", "", "", "");

    private static final AccessConditions NONE_THERE = new AccessConditions(
            new Conditions(List.of(), List.of(Conditions.ANY), OptionalLong.empty(), OptionalLong.empty()),
            Optional.empty());

    private final BlobService blobs;

    /** The next number, by account and hour. */
    private final Map<String, Integer> numbers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > PREFIXES_KNOWN_MAX;
        }
    };

    LogBlobs(BlobService blobs) {
        this.blobs = blobs;
    }

    /** Writes the lines of one account, service and hour. */
    void write(List<Entry> entries) {
        Entry first = entries.get(0);
        String prefix = LogName.prefix(first.service(), first.hour());
        String known = first.account() + "/" + prefix;
        byte[] content =
                entries.stream().map(Entry::line).collect(Collectors.joining()).getBytes(StandardCharsets.UTF_8);
        NewBlob made = new NewBlob(HEADERS, metadata(entries), Optional.empty(), NONE_THERE, false);
        if (!numbers.containsKey(known)) {
            createContainer(first.account());
            numbers.put(known, next(first.account(), prefix));
        }
        int number = numbers.getOrDefault(known, 0);
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            if (put(address(first.account(), LogName.of(prefix, number)), made, content)) {
                numbers.put(known, number + 1);
                return;
            }
            number++;
        }
        throw new IllegalStateException("no free number for a log blob");
    }

    private static BlobAddress address(String account, String name) {
        return new BlobAddress(account, ContainerName.LOGS, new BlobName(name));
    }

    private static Map<String, String> metadata(List<Entry> entries) {
        Instant first = entries.stream()
                .map(Entry::started)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Instant last = entries.stream()
                .map(Entry::started)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        String kinds = Arrays.stream(RequestKind.values())
                .filter(kind -> entries.stream().anyMatch(entry -> entry.kind() == kind))
                .map(RequestKind::word)
                .collect(Collectors.joining(","));
        return Map.of(
                "LogType", kinds, "StartTime", second(first), "EndTime", second(last), "LogVersion", LogLine.VERSION);
    }

    private static String second(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void createContainer(String account) {
        if (Futures.await(blobs.containers().find(account, ContainerName.LOGS)).isPresent()) {
            return;
        }
        try {
            Futures.await(blobs.containers().create(account, ContainerName.LOGS, Map.of(), PublicAccess.NONE));
        } catch (StorageException e) {
            unless(e, StorageError.CONTAINER_ALREADY_EXISTS);
        }
    }

    /** Returns the number after the last one of an hour. */
    private int next(String account, String prefix) {
        int next = 0;
        Optional<BlobLister.Cursor> from = Optional.of(BlobLister.Cursor.START);
        while (from.isPresent()) {
            Page<BlobLister.Entry, BlobLister.Cursor> page = list(account, prefix, from.get());
            for (BlobLister.Entry entry : page.items()) {
                OptionalInt number = LogName.number(entry.name());
                next = Math.max(next, number.isPresent() ? number.getAsInt() + 1 : 0);
            }
            from = page.next();
        }
        return next;
    }

    private Page<BlobLister.Entry, BlobLister.Cursor> list(String account, String prefix, BlobLister.Cursor from) {
        return Futures.await(blobs.lister()
                .list(
                        account,
                        ContainerName.LOGS,
                        new BlobLister.Query(prefix, "", Limits.BLOBS_PAGE_MAX, false, false),
                        from));
    }

    /** Creates a blob; returns false if it exists. */
    private boolean put(BlobAddress address, NewBlob made, byte[] content) {
        try {
            Futures.await(blobs.check(address, BlobType.BLOCK, made));
            StagedContent staged = content.length <= StagedContent.IN_MEMORY_BYTES_MAX
                    ? StagedContent.inMemory(content, 0, content.length)
                    : upload(address, content);
            NewBlob whole = new NewBlob(
                    HEADERS.withMd5(Base64.getEncoder().encodeToString(staged.md5())),
                    made.metadata(),
                    made.tier(),
                    made.guard(),
                    made.mayOverwrite());
            Futures.await(blobs.blocks().put(address, whole, staged));
            return true;
        } catch (StorageException e) {
            unless(e, StorageError.BLOB_ALREADY_EXISTS);
            return false;
        }
    }

    private StagedContent upload(BlobAddress address, byte[] content) {
        Upload upload = Futures.await(blobs.upload(address));
        boolean finished = false;
        try {
            Futures.await(upload.write(ByteBuffer.wrap(content)));
            StagedContent staged = Futures.await(upload.finish());
            finished = true;
            return staged;
        } finally {
            if (!finished) {
                upload.abandon();
            }
        }
    }

    /** Deletes the logs of all hours that ended before a time. */
    void deleteBefore(String account, Service service, Instant time) {
        if (Futures.await(blobs.containers().find(account, ContainerName.LOGS)).isEmpty()) {
            return;
        }
        // Names sort by hour; the hour that contains the time is kept.
        String end = LogName.prefix(service, time.truncatedTo(ChronoUnit.HOURS));
        Optional<BlobLister.Cursor> from = Optional.of(BlobLister.Cursor.START);
        while (from.isPresent()) {
            Page<BlobLister.Entry, BlobLister.Cursor> page = list(account, LogName.prefix(service), from.get());
            for (BlobLister.Entry entry : page.items()) {
                if (entry.name().compareTo(end) >= 0) {
                    return;
                }
                delete(address(account, entry.name()));
            }
            from = page.next();
        }
    }

    private void delete(BlobAddress address) {
        try {
            Futures.await(blobs.delete(address, AccessConditions.NONE, Snapshots.INCLUDE));
        } catch (StorageException e) {
            unless(e, StorageError.BLOB_NOT_FOUND);
        }
    }

    private static void unless(StorageException failure, StorageError expected) {
        if (failure.error() != expected) {
            throw failure;
        }
    }
}
