package dev.trestle.patterns.layout;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import dev.trestle.patterns.ConflictRetry;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A log in blobs instead of entities, the remedy for the log data anti-pattern: lines are buffered and written in batches, each to
 * a blob named by its hour, such as {@code web/2014/07/31/1800/000001.log}. The metadata of a blob has the times of its first and
 * last line. A line is a time, a semicolon and a text without line breaks.
 *
 * <pre>{@code
 * LogBlobs log = LogBlobs.of(container, "web", 20);
 * }</pre>
 *
 * <p>Promise: lines are durable and immutable once {@link #flush} returns, and {@link #read} returns every durable line of a time
 * range, in the order of their times. A crash loses buffered lines, and a batch whose response was lost may be written twice.
 * Several writers may share a container, because blobs are created conditionally. Thread-safe; the buffer is guarded by this
 * object's lock.
 */
public final class LogBlobs implements AutoCloseable {
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("yyyy/MM/dd/HH'00'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String EXTENSION = ".log";
    private static final String FIRST = "first";
    private static final String LAST = "last";

    private final BlobContainerClient container;
    private final String source;
    private final int linesMax;
    private List<Line> lines = new ArrayList<>();

    /** A logged line. */
    public record Line(Instant time, String text) {
        static Line parse(String line) {
            int end = line.indexOf(';');
            return new Line(Instant.parse(line.substring(0, end)), line.substring(end + 1));
        }

        @Override
        public String toString() {
            return time + ";" + text;
        }
    }

    private LogBlobs(BlobContainerClient container, String source, int linesMax) {
        this.container = container;
        this.source = source;
        this.linesMax = linesMax;
    }

    /** Returns the log of one source, such as a service or a machine, which flushes after {@code linesMax} lines. */
    public static LogBlobs of(BlobContainerClient container, String source, int linesMax) {
        return new LogBlobs(container, source, linesMax);
    }

    /** Buffers a line, and flushes if the buffer is full. */
    public synchronized void log(Instant time, String text) {
        if (text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("The text contains a line break: log it as several lines");
        }
        lines.add(new Line(time, text));
        if (lines.size() >= linesMax) {
            flush();
        }
    }

    /** Writes all buffered lines, to one blob per hour. Lines that could not be written stay in the buffer. */
    public synchronized void flush() {
        Map<String, List<Line>> byHour = lines.stream()
                .sorted(Comparator.comparing(Line::time))
                .collect(Collectors.groupingBy(line -> prefix(line.time()), TreeMap::new, Collectors.toList()));
        byHour.forEach((prefix, batch) -> {
            write(prefix, batch);
            lines = new ArrayList<>(lines);
            lines.removeAll(batch);
        });
    }

    private String prefix(Instant time) {
        return source + "/" + HOUR.format(time) + "/";
    }

    private void write(String prefix, List<Line> batch) {
        String text = batch.stream().map(line -> line + "\n").collect(Collectors.joining());
        BlobParallelUploadOptions upload = new BlobParallelUploadOptions(BinaryData.fromString(text))
                .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"))
                .setMetadata(Map.of(
                        FIRST, batch.get(0).time().toString(),
                        LAST, batch.get(batch.size() - 1).time().toString()));
        ConflictRetry.standard().call(() -> {
            String name = prefix + String.format("%06d", lastNumber(prefix) + 1) + EXTENSION;
            return container.getBlobClient(name).uploadWithResponse(upload, null, Context.NONE);
        });
    }

    private int lastNumber(String prefix) {
        return container.listBlobs(named(prefix), null).stream()
                .map(BlobItem::getName)
                .mapToInt(name -> Integer.parseInt(name.substring(prefix.length(), name.length() - EXTENSION.length())))
                .max()
                .orElse(0);
    }

    private static ListBlobsOptions named(String prefix) {
        return new ListBlobsOptions().setPrefix(prefix);
    }

    /** Reads the durable lines from {@code from}, inclusive, to {@code to}, exclusive, in the order of their times. */
    public List<Line> read(Instant from, Instant to) {
        List<Line> found = new ArrayList<>();
        for (Instant hour = from.truncatedTo(ChronoUnit.HOURS);
                hour.isBefore(to);
                hour = hour.plus(1, ChronoUnit.HOURS)) {
            ListBlobsOptions options = named(prefix(hour));
            options.getDetails().setRetrieveMetadata(true);
            container.listBlobs(options, null).stream()
                    .filter(blob -> overlaps(blob, from, to))
                    .flatMap(blob -> lines(blob.getName()))
                    .filter(line -> !line.time().isBefore(from) && line.time().isBefore(to))
                    .forEach(found::add);
        }
        found.sort(Comparator.comparing(Line::time));
        return found;
    }

    private static boolean overlaps(BlobItem blob, Instant from, Instant to) {
        Map<String, String> metadata = blob.getMetadata();
        return metadata == null
                || !metadata.containsKey(FIRST)
                || (Instant.parse(metadata.get(FIRST)).isBefore(to)
                        && !Instant.parse(metadata.get(LAST)).isBefore(from));
    }

    private Stream<Line> lines(String name) {
        return container
                .getBlobClient(name)
                .downloadContent()
                .toString()
                .lines()
                .map(Line::parse);
    }

    /** Flushes. */
    @Override
    public void close() {
        flush();
    }
}
