package dev.trestle.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that runs as a child process. Captures its output, which is part of the message if the server does not
 * start. Killed when it is closed or this process exits.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_TIME_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(60);
    private static final int LAST_LINES_MAX = 50_000;
    private static final Pattern URL = Pattern.compile("https?://\\S+");
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "kill-servers"));
    }

    private final Process process;
    private final OutputReader output;
    private final boolean stoppedOnClose;

    private ServerProcess(Process process, OutputReader output, boolean stoppedOnClose) {
        this.process = process;
        this.output = output;
        this.stoppedOnClose = stoppedOnClose;
    }

    /** Returns a builder of a process that runs this command. */
    public static Builder command(List<String> command) {
        return new Builder(command);
    }

    /** How to start a server. */
    public static final class Builder {
        private final List<String> command;
        private final Map<String, String> environment = new HashMap<>();
        private Optional<Path> folder = Optional.empty();
        private Duration startTimeMax = START_TIME_MAX;
        private int lastLinesMax = LAST_LINES_MAX;
        private boolean errorsInherited;
        private boolean stoppedOnClose;

        private Builder(List<String> command) {
            this.command = List.copyOf(command);
        }

        /** Sets the working directory. */
        public Builder in(Path workingDirectory) {
            folder = Optional.of(workingDirectory);
            return this;
        }

        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Passes standard error on to that of this process instead of capturing it. */
        public Builder inheritErrors() {
            errorsInherited = true;
            return this;
        }

        /**
         * Has {@link ServerProcess#close} stop the server as {@link ServerProcess#stop} does, instead of killing
         * it.
         */
        public Builder stopOnClose() {
            stoppedOnClose = true;
            return this;
        }

        Builder startTimeMax(Duration time) {
            startTimeMax = time;
            return this;
        }

        Builder lastLinesMax(int lines) {
            lastLinesMax = lines;
            return this;
        }

        /** Starts the process without waiting until it is ready. */
        public ServerProcess launch() {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(!errorsInherited);
            folder.ifPresent(path -> builder.directory(path.toFile()));
            if (errorsInherited) {
                builder.redirectError(ProcessBuilder.Redirect.INHERIT);
            }
            // The options of the user's own servers must not apply here.
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
            builder.environment().putAll(environment);
            try {
                Process process = builder.start();
                RUNNING.add(process);
                OutputReader output = new OutputReader(
                        "output-of-" + process.pid(),
                        process.inputReader(StandardCharsets.UTF_8),
                        ServerProcess::isReady,
                        lastLinesMax);
                output.start();
                return new ServerProcess(process, output, stoppedOnClose);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /**
         * Starts the process and returns when it has printed a line that begins with the word "ready".
         *
         * @throws ProcessFailedException if the process exits first, or is not ready within a minute
         */
        public ServerProcess start() {
            ServerProcess server = launch();
            try {
                server.awaitReady(startTimeMax);
                return server;
            } catch (RuntimeException e) {
                server.kill();
                throw e;
            }
        }
    }

    private static boolean isReady(String line) {
        return line.toLowerCase(Locale.ROOT).startsWith("ready");
    }

    private void awaitReady(Duration time) {
        try {
            if (!output.awaitReady(time.toNanos())) {
                String event = process.isAlive() ? "was not ready within " + time.toSeconds() + " s" : "exited";
                throw new ProcessFailedException("The server " + event + ". Its output:\n" + output());
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static IllegalStateException interrupted() {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for a process");
    }

    /** Returns the URLs that the banner lists, in its order: at first those of tables, queues and blobs. */
    public List<String> urls() {
        List<String> urls = new ArrayList<>();
        for (String line : output.banner()) {
            Matcher matcher = URL.matcher(line);
            if (matcher.find()) {
                urls.add(matcher.group());
            }
        }
        return urls;
    }

    /**
     * Returns the endpoint of a service, of the first account, by its name in the banner: Table, Queue or Blob.
     */
    public String endpoint(String service) {
        return banner(service + " endpoint");
    }

    /** Returns the connection string of the first account. */
    public String connectionString() {
        return banner("Connection string");
    }

    /** Returns the first word after this label in the banner. */
    public String banner(String label) {
        Pattern pattern = Pattern.compile("\\s+" + Pattern.quote(label) + "\\s+(\\S+).*");
        return output.banner().stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElseThrow(() -> new ProcessFailedException("no " + label + " in the output:\n" + output()));
    }

    /** Returns the output so far: banner and log. */
    public String output() {
        return output.text();
    }

    /** Whether the process has printed that it is ready. */
    public boolean isReady() {
        return output.isReady();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Sends SIGTERM and does not wait. */
    public void terminate() {
        // Process.destroy would also close the output, and the last lines would be lost.
        process.toHandle().destroy();
    }

    /** Sends SIGTERM and returns the exit code when the process has exited. */
    public int stop() {
        terminate();
        return awaitExit();
    }

    /** Sends SIGKILL and does not wait. */
    public void requestKill() {
        process.toHandle().destroyForcibly();
    }

    /** Sends SIGKILL and returns when the process has exited. */
    public void kill() {
        requestKill();
        awaitExit();
    }

    /** Sends SIGSTOP: the process is suspended. */
    public void suspend() {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new ProcessFailedException("kill -" + signal + " " + pid() + " failed with code " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /**
     * Returns the exit code when the process has exited and all of its output was read.
     *
     * @throws ProcessFailedException if that takes longer than a minute
     */
    public int awaitExit() {
        if (!exitsWithin(STOP_TIME_MAX)) {
            throw new ProcessFailedException(
                    "The server did not exit within " + STOP_TIME_MAX.toSeconds() + " s. Its output:\n" + output());
        }
        try {
            output.join(STOP_TIME_MAX.toMillis());
            return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Waits for the process to exit by itself; returns whether it did so in time. */
    public boolean exitsWithin(Duration time) {
        try {
            boolean exited = process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
            if (exited) {
                RUNNING.remove(process);
            }
            return exited;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /**
     * Kills the server, unless {@link Builder#stopOnClose} was called: then it is killed only if it does not stop
     * in time.
     */
    @Override
    public void close() {
        if (stoppedOnClose) {
            terminate();
            if (exitsWithin(STOP_TIME_MAX)) {
                return;
            }
        }
        kill();
    }
}
