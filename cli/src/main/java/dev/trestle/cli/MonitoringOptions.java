package dev.trestle.cli;

import dev.trestle.cli.ServeConfig.Admin;
import dev.trestle.cli.ServeConfig.LogLevel;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options of {@code trestle serve} for the admin port and the logs. */
final class MonitoringOptions {
    private static final int USUAL_ADMIN_PORT = 10003;
    private static final String ACCESS_LOG_FILE = "--access-log-file";

    @Option(names = "--admin-port", paramLabel = "PORT|off", converter = AdminPort.class)
    private Optional<OptionalInt> adminPort;

    @Option(names = "--admin-host", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
    private ListenAddress adminHost;

    @Option(names = "--access-log", paramLabel = "off|text|json", defaultValue = "off")
    private AccessLog accessLog;

    @Option(names = ACCESS_LOG_FILE, paramLabel = "FILE")
    private Optional<Path> accessLogFile;

    @Option(names = "--log-level", paramLabel = "error|warn|info|debug|trace", defaultValue = "info")
    LogLevel logLevel;

    /** Returns where health and metrics are served; empty if nowhere. */
    Optional<Admin> admin(boolean isTablePortUsual) {
        OptionalInt port = adminPort.orElse(OptionalInt.of(isTablePortUsual ? USUAL_ADMIN_PORT : 0));
        return port.isPresent() ? Optional.of(new Admin(adminHost, port.getAsInt())) : Optional.empty();
    }

    Optional<AccessLogConfig> accessLog(SettingsProvider settings) {
        if (accessLog == AccessLog.OFF && accessLogFile.isPresent()) {
            throw new ConfigException(settings.origin(ACCESS_LOG_FILE) + " needs --access-log text or json beside it.");
        }
        return switch (accessLog) {
            case OFF -> Optional.empty();
            case TEXT -> Optional.of(new AccessLogConfig(AccessLogFormat.TEXT, accessLogFile));
            case JSON -> Optional.of(new AccessLogConfig(AccessLogFormat.JSON, accessLogFile));
        };
    }

    /** Whether requests are logged, and in which format. */
    enum AccessLog {
        OFF,
        TEXT,
        JSON
    }

    /** Parses a port; empty for {@code off}. */
    static final class AdminPort implements ITypeConverter<OptionalInt> {
        @Override
        public OptionalInt convert(String text) {
            return text.equals("off") ? OptionalInt.empty() : OptionalInt.of(new ServeValues.Port().convert(text));
        }
    }
}
