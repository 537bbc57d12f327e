package dev.trestle.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Configures logback: logs go to standard error, because standard output has the banner. Logback finds this class as a
 * service, which is faster at start than parsing a configuration file.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    /** Loggers that warn at every start, or the last for every request to a split range, of nothing to act on. */
    private static final List<String> NOISY = List.of(
            "org.apache.hadoop.util.NativeCodeLoader",
            "org.apache.hadoop.hbase.unsafe.HBasePlatformDependent",
            "org.apache.hadoop.hbase.client.ZKConnectionRegistry",
            "org.apache.hadoop.hbase.client.AsyncNonMetaRegionLocator");

    private static final String PATTERN = "%date{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\", UTC} %-5level %logger{0}: %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(loggers);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(loggers);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        ClientAbortLogFilter filter = new ClientAbortLogFilter();
        filter.start();
        appender.addFilter(filter);
        appender.start();
        Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.WARN);
        NOISY.forEach(name -> loggers.getLogger(name).setLevel(Level.ERROR));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Sets the level of Trestle's loggers; those of libraries stay at {@code WARN} or above. */
    static void setLevel(ServeConfig.LogLevel level) {
        LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level own = Level.valueOf(level.name());
        loggers.getLogger("dev.trestle").setLevel(own);
        loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                .setLevel(own.isGreaterOrEqual(Level.WARN) ? own : Level.WARN);
    }
}
