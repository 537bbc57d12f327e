package dev.trestle.server.admin;

import dev.trestle.engine.support.OwnerOnlyPermissions;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestSummary;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each request, on a thread of its own. Lines pass through a bounded queue: if the output is
 * slower than the requests, lines are dropped and counted, and no request waits.
 */
public final class AccessLog implements RequestObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    /** A line has at most 3 KiB, and usually about 300 bytes. */
    private static final int LINES_QUEUED_MAX = 8192;

    private static final int LINES_WRITTEN_AT_ONCE_MAX = 1024;
    private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(5);

    /** Marks the end of the queue; no line is empty. */
    private static final String END = "";

    private final AccessLogFormat format;
    private final OutputStream out;
    private final InstantSource clock;
    private final BlockingQueue<String> lines;
    private final LongAdder dropped = new LongAdder();
    private final Thread thread = new Thread(this::run, "trestle-access-log");
    private boolean failing;

    /** Standard error, which stays open because others use it too. */
    private static final class StandardError extends FileOutputStream {
        StandardError() {
            super(FileDescriptor.err);
        }

        @Override
        public void close() {}
    }

    AccessLog(AccessLogFormat format, OutputStream out, InstantSource clock, int linesQueuedMax) {
        this.format = format;
        this.out = out;
        this.clock = clock;
        this.lines = new ArrayBlockingQueue<>(linesQueuedMax);
        thread.setDaemon(true);
    }

    /**
     * Opens the file, if there is one, and starts to write.
     *
     * @throws IOException when the file cannot be written
     */
    public static AccessLog open(AccessLogConfig config, InstantSource clock) throws IOException {
        OutputStream out = config.file().isPresent() ? append(config.file().get()) : new StandardError();
        AccessLog log = new AccessLog(config.format(), out, clock, LINES_QUEUED_MAX);
        log.start();
        return log;
    }

    private static OutputStream append(Path file) throws IOException {
        return Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), OwnerOnlyPermissions.file(file)));
    }

    void start() {
        thread.start();
    }

    /** Returns the number of dropped lines since the start. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void finished(RequestSummary request) {
        // Formatted here, because a summary may refer to a filter of 256 KiB, but a line is short.
        if (!lines.offer(AccessLogLine.of(format, clock.instant(), request))) {
            dropped.increment();
        }
    }

    private void run() {
        List<String> taken = new ArrayList<>();
        boolean ended = false;
        while (!ended) {
            try {
                taken.add(lines.take());
            } catch (InterruptedException e) {
                // Only close() ends this thread, after the last lines were written.
                continue;
            }
            lines.drainTo(taken, LINES_WRITTEN_AT_ONCE_MAX);
            ended = taken.remove(END);
            write(taken);
            taken.clear();
        }
        try {
            out.close();
        } catch (IOException e) {
            LOG.error("Could not close the access log", e);
        }
    }

    private void write(List<String> taken) {
        try {
            out.write(String.join("", taken).getBytes(StandardCharsets.UTF_8));
            out.flush();
            failing = false;
        } catch (IOException e) {
            dropped.add(taken.size());
            if (!failing) {
                // Logged once per outage, not per line.
                failing = true;
                LOG.error("Could not write the access log; lines are dropped until it can be written", e);
            }
        }
    }

    /** Writes the queued lines, within a time limit, and closes the file. */
    @Override
    public void close() {
        try {
            if (lines.offer(END, CLOSE_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.join(CLOSE_TIME_MAX.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
