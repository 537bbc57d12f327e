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
 * What the guide does about the log data anti-pattern: log lines are gathered here and written to blobs, one for each batch,
 * found by the hour in their names: {@code web/2014/07/31/1800/000001.log}. The metadata of a blob has the times of its first and
 * last line. A line is a time, a semicolon and a text without line breaks.
 *
 * <pre>{@code
 * LogBlobs log = LogBlobs.of(container, "web", 20);
 * }</pre>
 *
 * <p>Promise: what {@link #flush} has returned after is written and never changes; reading gives every written line of a span of
 * time, in the order of their times. Lines not yet flushed are lost with the process, and a batch whose answer was lost may be
 * written twice. Several writers may share a container: a name belongs to who made the blob first. Safe for many threads; the
 * lines are guarded by this object's lock.
 */
public final class LogBlobs implements AutoCloseable {
    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("yyyy/MM/dd/HH'00'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ENDING = ".log";
    private static final String FIRST = "first";
    private static final String LAST = "last";

    private final BlobContainerClient container;
    private final String source;
    private final int linesMax;
    private List<Line> lines = new ArrayList<>();

    /** What was logged, and when. */
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

    /** Logs of one source, as a service or a machine, written when so many lines are gathered. */
    public static LogBlobs of(BlobContainerClient container, String source, int linesMax) {
        return new LogBlobs(container, source, linesMax);
    }

    /** Adds a line, and writes all if there are enough. */
    public synchronized void log(Instant time, String text) {
        if (text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("A line break would end the line: log several lines");
        }
        lines.add(new Line(time, text));
        if (lines.size() >= linesMax) {
            flush();
        }
    }

    /** Writes what was gathered, a blob for each hour of it. What could not be written is kept for the next time. */
    public synchronized void flush() {
        Map<String, List<Line>> byHour = lines.stream()
                .sorted(Comparator.comparing(Line::time))
                .collect(Collectors.groupingBy(line -> prefix(line.time()), TreeMap::new, Collectors.toList()));
        byHour.forEach((prefix, those) -> {
            write(prefix, those);
            lines = new ArrayList<>(lines);
            lines.removeAll(those);
        });
    }

    private String prefix(Instant time) {
        return source + "/" + HOUR.format(time) + "/";
    }

    private void write(String prefix, List<Line> those) {
        String text = those.stream().map(line -> line + "\n").collect(Collectors.joining());
        BlobParallelUploadOptions upload = new BlobParallelUploadOptions(BinaryData.fromString(text))
                .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"))
                .setMetadata(Map.of(
                        FIRST, those.get(0).time().toString(),
                        LAST, those.get(those.size() - 1).time().toString()));
        ConflictRetry.standard().call(() -> {
            String name = prefix + String.format("%06d", lastNumber(prefix) + 1) + ENDING;
            return container.getBlobClient(name).uploadWithResponse(upload, null, Context.NONE);
        });
    }

    private int lastNumber(String prefix) {
        return container.listBlobs(named(prefix), null).stream()
                .map(BlobItem::getName)
                .mapToInt(name -> Integer.parseInt(name.substring(prefix.length(), name.length() - ENDING.length())))
                .max()
                .orElse(0);
    }

    private static ListBlobsOptions named(String prefix) {
        return new ListBlobsOptions().setPrefix(prefix);
    }

    /** The written lines from a moment to another, the latter not included, in order. */
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

    /** Writes what was gathered. */
    @Override
    public void close() {
        flush();
    }
}
